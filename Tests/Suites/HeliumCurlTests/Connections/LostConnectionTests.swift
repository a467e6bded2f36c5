import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import TestSupport
import Testing
import WireSupport

@Suite("Calls on connections over HTTP/1.1 that end or are given up", .timeLimit(.minutes(5)))
struct LostConnectionTests {
    /// An end of a connection while a response is outstanding.
    enum Ending: CaseIterable, Sendable {
        case end, cut, reset

        func happen(on wire: WirePeer, isSecure: Bool) async throws {
            switch self {
            case .end: try await wire.end(isSecure: isSecure)
            case .cut where isSecure: try await wire.cutTLS()
            case .cut: try await wire.end(isSecure: false)
            case .reset: try await wire.reset(isSecure: isSecure)
            }
        }
    }

    /// RFC 9110 §9.2.2: a request that was written may have been processed. Only the caller can know whether it may be
    /// repeated, so the transport does not repeat it, whatever its method is.
    @Test(
        "a written request whose connection ends before the response fails and is sent once",
        arguments: [false, true],
        ConnectionLine.http1
    )
    func sendsOnce(isReused: Bool, line: ConnectionLine) async throws {
        try await line.prepare { line in
            for ending in Ending.allCases where ending != .cut || line.line.isSecure {
                for form in CallForm.allCases { try await sendOnce(form, ending, isReused, line) }
            }
        }
    }

    private func sendOnce(_ form: CallForm, _ ending: Ending, _ isReused: Bool, _ line: PreparedLine) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            while true {
                let request = try await peer.readRequest()
                guard request.target != "/lost" else { break }
                try await wire.flush(HTTP1Peer.echo(request))
            }
            try await ending.happen(on: wire, isSecure: line.line.isSecure)
        } _: { caller in
            if isReused { try await caller.connect() }
            let failure = try await caller.failure(form, "/lost")
            let name = Comment(rawValue: "\(form), \(ending): \(failure)")
            #expect(failure.kind == .connectionLost && failure.delivery == .maybeSent, name)
            #expect(caller.ledger.deliveries(of: "/lost").count == 1, name)
            await caller.expectOwn(form, "/next", "after \(ending)")
            #expect(caller.ledger.deliveries(of: "/lost").count == 1, name)
        }
    }

    @Test(
        "a connection whose call timed out is not used again",
        arguments: ConnectionLine.http1,
        [false, true]
    )
    func timesOut(line: ConnectionLine, isReused: Bool) async throws {
        try await giveUp(line, isReused) { caller, _ in
            let failure = try await caller.failure(.post, "/slow") { $0.timeouts.firstByte = .milliseconds(500) }
            #expect(failure.kind == .timedOut && failure.phase == .firstByte && failure.delivery == .maybeSent)
        }
    }

    @Test(
        "a connection whose call was cancelled is not used again",
        arguments: ConnectionLine.http1,
        [false, true]
    )
    func isCancelled(line: ConnectionLine, isReused: Bool) async throws {
        try await giveUp(line, isReused) { caller, isReceived in
            let call = Task { try await caller.failure(.post, "/slow") }
            try await isReceived.value()
            call.cancel()
            let failure = try await call.value
            #expect(failure.kind == .cancelled && failure.delivery == .maybeSent)
        }
    }

    /// Gives up a call, has the server respond to it after all, and expects that later calls don't get that response.
    private func giveUp(
        _ line: ConnectionLine,
        _ isReused: Bool,
        _ call: (Caller, _ isReceived: Signal<Void>) async throws -> Void
    ) async throws {
        let isReceived = Signal<Void>()
        let isOver = Signal<Void>()
        let hasResponded = Signal<Void>()
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            // Also if the client has ended the connection before the request was read.
            defer { if number == 0 { hasResponded.settle() } }
            while true {
                let request = try await peer.readRequest()
                if request.target == "/slow" {
                    isReceived.settle()
                    try await isOver.value()
                    // Fails if the client has ended the connection already.
                    try? await wire.flush(HTTP1Peer.echo(request))
                    hasResponded.settle()
                } else {
                    try await wire.flush(HTTP1Peer.echo(request))
                }
            }
        } _: { caller in
            if isReused { try await caller.connect() }
            try await call(caller, isReceived)
            // On a slow machine, the call may have timed out before the server saw it.
            let wasReceived = isReceived.isSettled
            isOver.settle()
            if wasReceived { try await hasResponded.value() }
            for form in CallForm.allCases {
                await caller.expectOwn(form, "/next-\(form)", mustMove: wasReceived)
            }
            #expect(caller.ledger.deliveries(of: "/slow").count <= 1)
        }
    }

    // MARK: Responses before the end of the request

    /// RFC 9110 §15.5.14, RFC 9112 §9.3.
    @Test(
        "a response that comes before the request's body is whole is the call's response",
        arguments: ConnectionLine.http1,
        [false, true]
    )
    func respondsEarly(line: ConnectionLine, isReused: Bool) async throws {
        let sent = 1000
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            while true {
                let (request, head) = try await peer.readHead()
                if request.target == "/large" {
                    #expect(WirePeer.field("Content-Length", in: head) == "100000")
                    // All that the client has sent, so that the end of the connection is no reset.
                    _ = try await wire.read(sent)
                    try await wire.flush(
                        "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\nmuch"
                    )
                    return try await wire.end(isSecure: line.isSecure)
                }
                ledger.add(request)
                try await wire.flush(HTTP1Peer.echo(request))
            }
        } _: { caller in
            if isReused { try await caller.connect() }
            let source = PatternSource(100_000, chunk: sent, stallsAt: sent)
            let reply = try await caller.send(.post, "/large") {
                $0.body = nil
                $0.upload = source.body(length: 100_000)
            }
            #expect(reply == Caller.Reply(status: 413, text: "much"))
            try await eventually { source.isCancelled }
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 2)
        }
    }
}
