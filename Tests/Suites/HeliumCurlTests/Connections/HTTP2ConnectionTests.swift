import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

@Suite("Shared connections over HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2ConnectionTests {
    @Test("calls share a connection", arguments: ConnectionLine.http2)
    func shares(line: ConnectionLine) async throws {
        try await line.runHTTP2 { _ in
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in 0..<20 {
                    let form = CallForm.allCases[number % CallForm.allCases.count]
                    group.addTask { await caller.expectOwn(form, "/\(number)") }
                }
            }
            #expect(caller.ledger.connections == 1)
        }
    }

    // MARK: Idle connections

    @Test(
        "a connection that goes away while it is idle is not used again",
        arguments: ConnectionLine.http2,
        HTTP2Departure.allCases
    )
    func goesAwayIdle(line: ConnectionLine, departure: HTTP2Departure) async throws {
        try await line.prepare { line in
            for form in CallForm.allCases {
                let isIdle = Signal<Void>()
                let hasHappened = Signal<Void>()
                try await line.runHTTP2 { peer in
                    try await isIdle.value()
                    try await peer.goAway(last: 1)
                    if departure == .closes { try? await peer.wire.end(isSecure: line.line.isSecure) }
                    hasHappened.settle()
                    while true { _ = try await peer.next() }
                } _: { caller in
                    isIdle.settle()
                    try await hasHappened.value()
                    // Something of a body may be sent before GOAWAY is read.
                    if form == .onceUpload {
                        await caller.expectOwnOrNotSent("/second")
                    } else {
                        await caller.expectOwn(form, "/second", mustMove: true)
                    }
                }
            }
        }
    }

    @Test(
        "an idle connection that ends without GOAWAY is not used again",
        arguments: ConnectionLine.http2,
        LostConnectionTests.Ending.allCases
    )
    func endsIdle(line: ConnectionLine, ending: LostConnectionTests.Ending) async throws {
        try await line.prepare { line in
            for form in CallForm.allCases {
                let isIdle = Signal<Void>()
                let hasHappened = Signal<Void>()
                try await line.runHTTP2 { peer in
                    try await isIdle.value()
                    // The client may have left before all of it has happened.
                    try? await ending.happen(on: peer.wire, isSecure: line.line.isSecure)
                    hasHappened.settle()
                } _: { caller in
                    isIdle.settle()
                    try await hasHappened.value()
                    await caller.expectOwn(form, "/second", mustMove: true)
                }
            }
        }
    }

    @Test("PING and SETTINGS on an idle connection do no harm", arguments: ConnectionLine.http2)
    func pings(line: ConnectionLine) async throws {
        let isIdle = Signal<Void>()
        let hasHappened = Signal<Void>()
        try await line.runHTTP2 { peer in
            try await isIdle.value()
            try await peer.ping()
            // SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113 §6.5.2).
            try await peer.sendSettings([(3, 10)])
            hasHappened.settle()
        } _: { caller in
            isIdle.settle()
            try await hasHappened.value()
            for form in CallForm.allCases { await caller.expectOwn(form, "/next-\(form)") }
            #expect(caller.ledger.connections == 1)
        }
    }

    /// RFC 9113 §6.8: GOAWAY with the largest number announces the end, and a second one sets it.
    @Test(
        "calls end on a connection that announced its end, and later ones use another",
        arguments: ConnectionLine.http2
    )
    func announces(line: ConnectionLine) async throws {
        let isAnnounced = Signal<Void>()
        let isReleased = Signal<Void>()
        try await line.runHTTP2 { peer in
            let request = try await peer.nextRequest()
            try await peer.goAway(last: 0x7FFF_FFFF)
            try await peer.waitForPong()
            isAnnounced.settle()
            try await isReleased.value()
            try await peer.goAway(last: request.stream)
            try await peer.respond(to: request)
            while true { _ = try await peer.next() }
        } _: { caller in
            try await withThrowingTaskGroup { group in
                group.addTask { await caller.expectOwn(.post, "/during") }
                try await isAnnounced.value()
                await caller.expectOwn(.post, "/after", mustMove: true)
                isReleased.settle()
                try await group.waitForAll()
            }
            #expect(caller.ledger.deliveries(of: "/during").first?.connection == 0)
        }
    }

    // MARK: Streams that end without a response

    @Test(
        "a stream that the server resets fails alone",
        arguments: ConnectionLine.http2,
        [HTTP2Peer.Code.internal, HTTP2Peer.Code.cancel]
    )
    func resetsOne(line: ConnectionLine, code: UInt32) async throws {
        try await line.runHTTP2 { peer in
            var requests: [WireRequest] = []
            while requests.count < 5 { requests.append(try await peer.nextRequest()) }
            for request in requests where request.target == "/2" { try await peer.reset(request.stream, code) }
            for request in requests where request.target != "/2" { try await peer.respond(to: request) }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in [0, 1, 3, 4] { group.addTask { await caller.expectOwn(.post, "/\(number)") } }
                group.addTask {
                    let failure = try? await caller.failure(.post, "/2")
                    #expect(failure?.kind == .connectionLost && failure?.delivery == .maybeSent)
                }
            }
            await caller.expectOwn(.post, "/next")
            #expect(caller.ledger.connections == 1 && caller.ledger.deliveries(of: "/2").count == 1)
        }
    }

    @Test("a stream that is reset within its response was answered", arguments: ConnectionLine.http2)
    func resetsWithin(line: ConnectionLine) async throws {
        try await line.runHTTP2 { peer in
            let request = try await peer.nextRequest()
            try await peer.sendHead(request.stream)
            try await peer.sendData(request.stream, "a part", isLast: false)
            try await peer.reset(request.stream, HTTP2Peer.Code.internal)
        } _: { caller in
            let failure = try await caller.failure(.get, "/cut")
            #expect(failure.kind == .connectionLost && failure.delivery == .answered, "\(failure)")
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }

    /// RFC 9113 §8.1: after a complete response, the server may ask the client to stop sending.
    @Test("a complete response before the end of the request is the call's response", arguments: ConnectionLine.http2)
    func respondsEarly(line: ConnectionLine) async throws {
        try await line.runHTTP2 { peer in
            let request = try await peer.nextHead()
            try await peer.sendHead(request.stream, status: 413)
            try await peer.sendData(request.stream, "much", isLast: true)
            try await peer.reset(request.stream, HTTP2Peer.Code.none)
        } _: { caller in
            let source = PatternSource(100_000, chunk: 1000, stallsAt: 1000)
            let reply = try await caller.send(.post, "/large") {
                $0.body = nil
                $0.upload = source.body(length: 100_000)
            }
            #expect(reply == Caller.Reply(status: 413, text: "much"))
            await caller.expectOwn(.post, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test(
        "a connection that ends with calls on it fails them as perhaps sent, once",
        arguments: ConnectionLine.http2,
        LostConnectionTests.Ending.allCases
    )
    func isLost(line: ConnectionLine, ending: LostConnectionTests.Ending) async throws {
        try await line.runHTTP2 { peer in
            for _ in CallForm.allCases { _ = try await peer.nextRequest() }
            try await ending.happen(on: peer.wire, isSecure: line.isSecure)
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for form in CallForm.allCases {
                    group.addTask {
                        let failure = try? await caller.failure(form, "/\(form)")
                        #expect(failure?.kind == .connectionLost && failure?.delivery == .maybeSent, "\(form)")
                    }
                }
            }
            await caller.expectOwn(.get, "/next", mustMove: true)
            for form in CallForm.allCases { #expect(caller.ledger.deliveries(of: "/\(form)").count == 1, "\(form)") }
        }
    }

    // MARK: Dead connections

    @Test("a connection on which a call timed out is not used again if it is dead", arguments: ConnectionLine.http2)
    func isDead(line: ConnectionLine) async throws {
        try await line.runHTTP2 { peer in
            peer.isSilent = true
            while true { _ = try await peer.next() }
        } _: { caller in
            let failure = try await caller.failure(.get, "/dead") { $0.timeouts.firstByte = .milliseconds(300) }
            #expect(failure.kind == .timedOut && failure.delivery == .maybeSent, "\(failure)")
            for form in CallForm.allCases { await caller.expectOwn(form, "/next-\(form)", mustMove: true) }
        }
    }

    @Test("a cancelled call leaves the others on its connection", arguments: ConnectionLine.http2)
    func isCancelled(line: ConnectionLine) async throws {
        let areReceived = Signal<Void>()
        try await line.runHTTP2 { peer in
            var requests = [try await peer.nextRequest(), try await peer.nextRequest()]
            areReceived.settle()
            while case let event = try await peer.next() {
                guard case .reset(let stream, let code) = event else { continue }
                #expect(code == HTTP2Peer.Code.cancel)
                requests.removeAll { $0.stream == stream }
                break
            }
            for request in requests { try await peer.respond(to: request) }
        } _: { caller in
            try await withThrowingTaskGroup { group in
                group.addTask { await caller.expectOwn(.post, "/kept") }
                let cancelled = Task { try await caller.failure(.post, "/cancelled") }
                try await areReceived.value()
                cancelled.cancel()
                let failure = try await cancelled.value
                #expect(failure.kind == .cancelled && failure.delivery == .maybeSent)
                try await group.waitForAll()
            }
            await caller.expectOwn(.post, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }
}
