import Testing

@testable import HeliumServerKit

@Suite("Shares of limits by address")
struct AddressShareTests {
    @Test(
        "A client is an IPv4 address, or the first 64 bits of an IPv6 address",
        arguments: [
            ("10.0.0.1", "10.0.0.2", false), ("10.0.0.1", "::ffff:10.0.0.1", true),
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
            ("::1", "0:0:0:0:0:0:0:1", true), ("", "10.0.0.1", false),
        ]
    )
    func client(one: String, other: String, isSame: Bool) {
        #expect((AddressShare.client(of: one) == AddressShare.client(of: other)) == isSame)
    }

    @Test("A client without an address has no share, and the default share is three quarters, rounded up")
    func maximum() {
        var share = AddressShare(2, of: 4, part: 1)
        share.add("a")
        #expect(!share.isUsed(by: "a"))
        share.add("a")
        #expect(share.isUsed(by: "a"))
        #expect(!share.isUsed(by: "b"))
        share.remove("a")
        #expect(!share.isUsed(by: "a"))
        for _ in 0..<9 { share.add("") }
        #expect(!share.isUsed(by: ""))
        let part = ServerLimits().sharePerAddress
        #expect([1, 2, 3, 4, 5, 1024].map { AddressShare(of: $0, part: part).maximum } == [1, 2, 3, 3, 4, 768])
        // A share of everything is not checked, because the end of a connection may be seen later than its place is free.
        var whole = AddressShare(of: 3, part: 1)
        for _ in 0..<3 { whole.add("a") }
        #expect(!whole.isUsed(by: "a"))
    }

    @Test(
        "A part of a limit is at least one, and at most the limit, however large it is",
        arguments: [
            (4, 0.5, 2), (4, 0.51, 3), (4, 1, 4), (1, 0.001, 1), (.max, 1, .max), (.max, 0.5, .max / 2 + 1),
        ] as [(Int, Double, Int)]
    )
    func part(total: Int, part: Double, expected: Int) {
        #expect(AddressShare(of: total, part: part).maximum == expected)
    }

    @Test(
        "A part of nothing, of more than everything, or that is no number is refused",
        arguments: [0, -1, 1.01, .nan]
    )
    func invalid(part: Double) {
        var limits = ServerLimits()
        limits.sharePerAddress = part
        #expect(throws: EmbeddedServerError.self) { try limits.validate() }
    }
}
