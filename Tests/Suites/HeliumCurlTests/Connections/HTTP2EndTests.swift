import HTTPTypes
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

@Suite("Ends of connections over HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2EndTests {
    /// RFC 9113 §6.8.
    @Test(
        "of three streams, those up to the last one of GOAWAY get their responses, and the third moves",
        arguments: ConnectionLine.http2,
        drivers
    )
    func goesAway(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        try await line.run(driver: driver) { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            // One call waits for the connection's SETTINGS with the others, so that all three are on the first one.
            try await peer.start()
            guard number == 0 else { return try await peer.serve() }
            var requests: [WireRequest] = []
            while requests.count < 3 { requests.append(try await peer.nextRequest(isProcessed: false)) }
            requests.sort { $0.stream < $1.stream }
            #expect(requests.map(\.stream) == [1, 3, 5])
            try await peer.goAway(last: 3)
            try await peer.waitForPong()
            for request in requests.prefix(2).reversed() {
                peer.process(request)
                try await peer.respond(to: request)
            }
            // The client ends the connection when its calls have ended.
            while true { _ = try await peer.next() }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for form in [CallForm.get, .post, .stream] {
                    group.addTask { await caller.expectOwn(form, "/\(form)") }
                }
            }
            #expect(caller.ledger.requests.map(\.connection).sorted() == [0, 0, 1])
            await caller.ledger.wait { $0.openConnections == 1 }
            #expect(caller.ledger.connections == 2)
        }
    }

    /// A violation of HTTP/2 and the code of the client's GOAWAY (RFC 9113 §7).
    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let codes: Set<UInt32>

        static let all: [Self] = [
            .init(testDescription: "DATA on stream 0", bytes: HTTP2Peer.frame(0, payload: [1]), codes: [1]),
            .init(testDescription: "DATA on an idle stream", bytes: HTTP2Peer.frame(0, stream: 99), codes: [1, 5]),
            .init(
                testDescription: "a field section that is none",
                bytes: HTTP2Peer.frame(1, flags: 4, stream: 1, payload: [0xBF]),
                codes: [9]
            ),
            .init(
                testDescription: "PUSH_PROMISE",
                bytes: HTTP2Peer.frame(5, flags: 4, stream: 1, payload: [0, 0, 0, 2, 0x88]),
                codes: [1]
            ),
            .init(
                testDescription: "SETTINGS of 5 bytes",
                bytes: HTTP2Peer.frame(4, payload: [0, 3, 0, 0, 0]),
                codes: [6]
            ),
            .init(
                testDescription: "a frame that is too large",
                bytes: HTTP2Peer.frame(0, stream: 1, payload: [UInt8](repeating: 0, count: 16_385)),
                codes: [6]
            ),
            .init(
                testDescription: "a window of more than 2³¹ - 1",
                bytes: HTTP2Peer.frame(8, payload: [0x7F, 0xFF, 0xFF, 0xFF]),
                codes: [3]
            ),
            .init(testDescription: "HTTP/1.1", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), codes: [1, 6]),
        ]
    }

    @Test(
        "a violation of the protocol ends all calls as malformed, and no connection after it",
        arguments: ConnectionLine.http2,
        Violation.all
    )
    func violates(line: ConnectionLine, violation: Violation) async throws {
        let forms = [CallForm.get, .stream, .post, .put, .onceUpload]
        try await line.run { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            guard number == 0 else { return try await peer.serve() }
            for _ in forms { _ = try await peer.nextRequest() }
            try await wire.flush(violation.bytes)
            while true {
                guard case .goAway(let code) = try await peer.next() else { continue }
                #expect(violation.codes.contains(code), "\(code)")
            }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for form in forms {
                    group.addTask {
                        let failure = try? await caller.failure(form, "/\(form)")
                        let isRight = failure?.kind == .malformedResponse && failure?.delivery == .maybeSent
                        #expect(isRight, "\(form): \(String(describing: failure))")
                    }
                }
            }
            await caller.expectOwn(.get, "/next", mustMove: true)
            for form in forms { #expect(caller.ledger.deliveries(of: "/\(form)").count == 1, "\(form)") }
        }
    }
}
