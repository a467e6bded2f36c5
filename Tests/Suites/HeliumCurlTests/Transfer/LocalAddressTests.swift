import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

@Suite("Connections to local addresses", .timeLimit(.minutes(5)))
struct LocalAddressTests {
    @Test(
        "a transport that may not reach local addresses opens no connection to one, however the host is written",
        arguments: ["127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "0.0.0.0", "[::ffff:127.0.0.1]"]
    )
    func refused(_ host: String) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server async throws in
            let port = try #require(server.url.split(separator: ":").last)
            // Some of these hosts are not valid in a URL, which is as good.
            guard let request = try? TransportRequest(to: "http://\(host):\(port)/") else { return }
            try await withTransport(configure: { $0.allowsLocalAddresses = false }) { transport async throws in
                let failure = try await transport.failure(request)
                #expect(failure.kind == .connectionFailed || failure.kind == .invalidRequest)
                #expect(failure.delivery == .notSent)
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test("a transport reaches local addresses by default")
    func allowed() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server async throws in
            try await withTransport { transport async throws in
                #expect(try await transport.execute(TransportRequest(to: server.url)).text == "ok")
            }
        }
    }
}
