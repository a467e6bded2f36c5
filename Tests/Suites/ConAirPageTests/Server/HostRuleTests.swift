import Testing

@testable import ConAirPage

@Suite("ConAirPage host rule")
struct ConAirPageHostRuleTests {
    @Test(
        "a page server on a loopback address accepts only its own host",
        arguments: [
            "127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1",
            "::FFFF:7F01:203",
        ]
    )
    func loopback(host: String) {
        let rule = HostRule(host: host, boundAddress: nil, port: 8081)
        for name in ["127.0.0.1:8081", "[::1]:8081", "localhost:8081", "LocalHost:8081"] { #expect(rule.admits(name)) }
        for name in [
            "evil.example:8081", "evil.example", "localhost", "127.0.0.1", "127.0.0.1:80",
            "localhost:8081.evil.example", "",
            "localhost.:8081", "x@localhost:8081",
        ] {
            #expect(!rule.admits(name), "\(name)")
        }
    }

    @Test("the Host field of the page server may lack the scheme's port")
    func standardPort() {
        let rule = HostRule(host: "127.0.0.1", boundAddress: nil, port: 80)
        #expect(rule.admits("localhost"))
        #expect(rule.admits("localhost:80"))
        #expect(!rule.admits("evil.example"))
    }

    @Test(
        "a page server that others reach accepts any host",
        arguments: [
            "0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1", "127.evil.example", "127.0.0.256", "127.0.0",
        ]
    )
    func elsewhere(host: String) {
        #expect(HostRule(host: host, boundAddress: nil, port: 8081).admits("anything.example"))
    }

    @Test("the address that a page server listens on decides which hosts it accepts")
    func bound() {
        let alias = HostRule(host: "office.example", boundAddress: "127.0.0.1", port: 8081)
        #expect(alias.admits("office.example:8081") && alias.admits("127.0.0.1:8081"))
        #expect(!alias.admits("evil.example:8081"))
        let mapped = HostRule(host: "::ffff:127.0.0.1", boundAddress: "::ffff:127.0.0.1", port: 8081)
        #expect(mapped.admits("[::ffff:127.0.0.1]:8081") && mapped.admits("[::ffff:7f00:1]:8081"))
        #expect(HostRule(host: "localhost", boundAddress: "192.0.2.1", port: 8081).admits("anything.example"))
    }
}
