import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Synchronization
import Testing
import WireSupport

/// Routers forget connections without traffic, so the peer of a connection that was silent has to answer a PING first.
@Suite("Connections over HTTP/2 that were silent", .timeLimit(.minutes(5)))
struct SilentConnectionTests {
    /// Times at which each idle connection counts as silent.
    private static func times(pong: UInt64 = 3_600_000_000_000) -> ConnectionTimes {
        var times = ConnectionTimes()
        times.silence = 0
        times.pong = pong
        return times
    }

    @Test(
        "a peer that answers a PING gets the request on the same connection",
        arguments: ConnectionLine.http2,
        drivers
    )
    func answers(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        let pings = Guarded(0)
        try await line.runHTTP2(driver: driver, times: Self.times()) { peer in
            while true {
                let request = try await peer.nextRequest()
                pings.withLock { $0 = peer.pings }
                try await peer.respond(to: request)
            }
        } _: { caller in
            for (number, form) in CallForm.allCases.enumerated() {
                await caller.expectOwn(form, "/\(form)")
                #expect(pings.withLock(\.self) == number + 1)
            }
            // Several calls need one PING.
            await withDiscardingTaskGroup { group in
                for form in CallForm.allCases { group.addTask { await caller.expectOwn(form, "/more-\(form)") } }
            }
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test(
        "the pings of a server that responds no further do not extend a call's limits",
        arguments: ConnectionLine.http2
    )
    func keepsPinging(line: ConnectionLine) async throws {
        try await line.runHTTP2 { peer in
            let request = try await peer.nextRequest()
            try await peer.sendHead(request.stream)
            while true {
                try await peer.ping()
                try await Task.sleep(for: .milliseconds(20))
            }
        } _: { caller in
            let failure = try await caller.failure(.onceUpload, "/silent") { $0.timeouts.idle = .milliseconds(300) }
            #expect(failure.kind == .timedOut && failure.phase == .idle, "\(failure)")
        }
    }

    @Test("no PING is sent before the time", arguments: ConnectionLine.http2)
    func isRecent(line: ConnectionLine) async throws {
        try await line.runHTTP2 { peer in
            try await peer.respond(to: peer.nextRequest())
            #expect(peer.pings == 0)
        } _: { caller in
            await caller.expectOwn(.post, "/next")
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test(
        "a peer that answers no PING gets no request, and the calls are sent once on another connection",
        arguments: ConnectionLine.http2,
        drivers
    )
    func isSilent(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        let heads = Guarded(0)
        // All calls begin within the time for the answer.
        try await line.runHTTP2(driver: driver, times: Self.times(pong: 250_000_000)) { peer in
            peer.isSilent = true
            while true {
                if case .head = try await peer.next() { heads.withLock { $0 += 1 } }
            }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for form in CallForm.allCases {
                    group.addTask { await caller.expectOwn(form, "/\(form)", mustMove: true) }
                }
            }
            #expect(caller.ledger.connections == 2 && heads.withLock(\.self) == 0)
            await caller.ledger.wait { $0.openConnections == 1 }
        }
    }

    @Test(
        "a connection that ends at the PING gets no request",
        arguments: ConnectionLine.http2,
        LostConnectionTests.Ending.allCases
    )
    func ends(line: ConnectionLine, ending: LostConnectionTests.Ending) async throws {
        try await line.prepare { line in
            for form in CallForm.allCases {
                try await line.runHTTP2(times: Self.times()) { peer in
                    peer.isSilent = true
                    try await peer.nextPing()
                    try await ending.happen(on: peer.wire, isSecure: line.line.isSecure)
                } _: { caller in
                    await caller.expectOwn(form, "/next", mustMove: true)
                }
            }
        }
    }

    @Test("a call that waits for the answer to a PING times out as not sent", arguments: ConnectionLine.http2)
    func timesOut(line: ConnectionLine) async throws {
        try await line.runHTTP2(times: Self.times()) { peer in
            peer.isSilent = true
            while true { _ = try await peer.next() }
        } _: { caller in
            let failure = try await caller.failure(.post, "/late") { $0.timeouts.total = .milliseconds(100) }
            #expect(failure.kind == .timedOut && failure.delivery == .notSent, "\(failure)")
            await caller.expectOwn(.post, "/next", mustMove: true)
            #expect(caller.ledger.deliveries(of: "/late").isEmpty)
        }
    }

    @Test("GOAWAY in place of the answer moves the calls that wait for it", arguments: ConnectionLine.http2)
    func goesAway(line: ConnectionLine) async throws {
        try await line.runHTTP2(times: Self.times()) { peer in
            peer.isSilent = true
            try await peer.nextPing()
            try await peer.goAway(last: 1)
            while true { _ = try await peer.next() }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for form in CallForm.allCases {
                    group.addTask { await caller.expectOwn(form, "/\(form)", mustMove: true) }
                }
            }
        }
    }
}
