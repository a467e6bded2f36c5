import HTTPTypes
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// RFC 9113 §8.7: what was not processed may be sent again, whatever its method is.
@Suite("Requests over HTTP/2 that were not processed", .timeLimit(.minutes(5)))
struct HTTP2ResendTests {
    @Test(
        "a refused stream is sent again, whatever its method is",
        arguments: ConnectionLine.http2,
        [CallForm.get, .post, .put, .stream]
    )
    func isRefused(line: ConnectionLine, form: CallForm) async throws {
        try await line.runHTTP2 { peer in
            let request = try await peer.nextRequest(isProcessed: false)
            try await peer.reset(request.stream, HTTP2Peer.Code.refusedStream)
        } _: { caller in
            await caller.expectOwn(form, "/refused")
            await caller.expectOwn(form, "/next")
        }
    }

    @Test(
        "a refused call whose body can be read once gets its response or was not sent",
        arguments: ConnectionLine.http2
    )
    func isRefusedOnce(line: ConnectionLine) async throws {
        try await line.runHTTP2 { peer in
            let request = try await peer.nextRequest(isProcessed: false)
            try await peer.reset(request.stream, HTTP2Peer.Code.refusedStream)
        } _: { caller in
            await caller.expectOwnOrNotSent("/refused")
            await caller.expectOwn(.onceUpload, "/next")
        }
    }

    @Test("a call that every connection refuses ends as not sent", arguments: ConnectionLine.http2)
    func isAlwaysRefused(line: ConnectionLine) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            while true {
                let request = try await peer.nextRequest(isProcessed: false)
                try await peer.reset(request.stream, HTTP2Peer.Code.refusedStream)
            }
        } _: { caller in
            let failure = try await caller.failure(.post, "/refused")
            #expect(failure.kind != .timedOut && failure.delivery == .notSent, "\(failure)")
        }
    }

    @Test(
        "a stream above the last one of GOAWAY is sent again on a new connection",
        arguments: ConnectionLine.http2,
        HTTP2Departure.allCases
    )
    func isNotProcessed(line: ConnectionLine, departure: HTTP2Departure) async throws {
        try await line.prepare { line in
            for form in [CallForm.get, .post, .put, .stream] {
                try await line.runHTTP2 { peer in
                    let request = try await peer.nextRequest(isProcessed: false)
                    try await peer.goAway(last: request.stream - 2)
                    switch departure {
                    case .closes: try await peer.wire.end(isSecure: line.line.isSecure)
                    case .stays: while true { _ = try await peer.next() }
                    }
                } _: { caller in
                    await caller.expectOwn(form, "/unprocessed", mustMove: true)
                    await caller.expectOwn(form, "/next", mustMove: true)
                }
            }
        }
    }

    @Test(
        "the first stream of a connection that goes away at once is sent again on another",
        arguments: ConnectionLine.http2,
        HTTP2Departure.allCases
    )
    func isNeverProcessed(line: ConnectionLine, departure: HTTP2Departure) async throws {
        try await line.prepare { line in
            for form in [CallForm.get, .post, .put, .stream] {
                try await line.run { wire, number, ledger in
                    let peer = HTTP2Peer(wire, number: number, ledger: ledger)
                    try await peer.start()
                    guard number == 0 else { return try await peer.serve() }
                    _ = try await peer.nextRequest(isProcessed: false)
                    try await peer.goAway(last: 0)
                    switch departure {
                    case .closes: try await wire.end(isSecure: line.line.isSecure)
                    case .stays: while true { _ = try await peer.next() }
                    }
                } _: { caller in
                    await caller.expectOwn(form, "/unprocessed", mustMove: true)
                }
            }
        }
    }

    @Test(
        "of parallel POSTs, those above the last stream of GOAWAY are sent again, and none twice",
        arguments: ConnectionLine.http2,
        HTTP2Departure.allCases
    )
    func goesAwayAmong(line: ConnectionLine, departure: HTTP2Departure) async throws {
        let isSecure = line.isSecure
        try await line.runHTTP2 { peer in
            var requests: [WireRequest] = []
            while requests.count < 5 { requests.append(try await peer.nextRequest(isProcessed: false)) }
            requests.sort { $0.stream < $1.stream }
            try await peer.goAway(last: requests[1].stream)
            for request in requests[..<2] {
                peer.process(request)
                try await peer.respond(to: request)
            }
            switch departure {
            case .closes:
                // Nothing of the client's may be unread then, or the end would be a reset.
                try await peer.waitForPong()
                try await peer.wire.end(isSecure: isSecure)
            case .stays: while true { _ = try await peer.next() }
            }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in 0..<5 { group.addTask { await caller.expectOwn(.post, "/\(number)") } }
            }
            let moved = caller.ledger.requests.filter { $0.connection > 0 }
            #expect(moved.count == 3 && caller.ledger.requests.count == 6)
        }
    }

    @Test("a call that the server wants over HTTP/1.1 is sent again over HTTP/1.1", arguments: CallForm.allCases)
    func needsHTTP1(form: CallForm) async throws {
        try await ConnectionLine.negotiated.run { wire, number, ledger in
            guard try await HTTP2Peer.isChosen(on: wire) else {
                return try await HTTP1Peer(wire, number: number, ledger: ledger).serve()
            }
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            while true {
                let request = try await peer.nextHead()
                try await peer.reset(request.stream, HTTP2Peer.Code.http11Required)
            }
        } _: { caller in
            if form == .onceUpload {
                await caller.expectOwnOrNotSent("/old")
            } else {
                await caller.expectOwn(form, "/old", mustMove: true)
            }
            let reply = try await caller.send(form, "/plain") { $0.version = .http1 }
            #expect(reply == Caller.Reply(status: 200, text: form.echo(for: "/plain")))
        }
    }
}
