import HTTPTypes
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// More of them, with other questions, are in `FailureTests`, `CeilingTests` and `ContentCodingTests`.
@Suite("Odd responses", .timeLimit(.minutes(5)))
struct OddResponseTests {
    @Test("an odd response has its outcome, and the next call gets its own response", arguments: OddResponse.all)
    func isRead(odd: OddResponse) async throws {
        try await odd.line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            if number == 0 {
                _ = try await peer.readRequest()
                if odd.isSlow {
                    try await wire.flushEach(odd.bytes)
                } else if !odd.bytes.isEmpty {
                    try await wire.flush(odd.bytes)
                }
                switch odd.end {
                case .stays: break
                case .ends: return try await wire.end(isSecure: odd.line.isSecure)
                case .cuts: return try await wire.cutTLS()
                case .resets: return try await wire.reset(isSecure: odd.line.isSecure)
                }
            }
            try await peer.serve()
        } _: { caller in
            let request = try caller.request(.get, "/odd").with { $0.method = odd.method }
            var isWhole = false
            do throws(TransportFailure) {
                let response = try await caller.transport.execute(request)
                isWhole = true
                let outcome = OddResponse.Outcome.response(response.head.status, response.text)
                #expect(odd.outcomes.contains(outcome))
                if let (name, value) = odd.field {
                    let received = response.head[name]?.split { " \t\r\n".contains($0) }.joined(separator: " ")
                    #expect(received == value)
                }
                // RFC 9110 §5.5: neither a carriage return nor a zero byte is passed on.
                let values = response.head.fields.flatMap { $0.value.utf8 }
                #expect(!values.contains(13) && !values.contains(0))
            } catch {
                let outcomes: Set<OddResponse.Outcome> = [
                    .failure(error.kind, error.delivery), .failure(error.kind, nil),
                ]
                #expect(!odd.outcomes.isDisjoint(with: outcomes), "\(error)")
            }
            #expect(caller.ledger.deliveries(of: "/odd").count == 1)
            // A whole response may be there before the end of its connection.
            if odd.end != .stays { await caller.ledger.wait { $0.openConnections == 0 } }
            await caller.expectOwn(.post, "/next", mustMove: odd.endsConnection || !isWhole || odd.end != .stays)
        }
    }
}
