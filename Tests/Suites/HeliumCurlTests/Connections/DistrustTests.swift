import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// Routers forget idle connections, mostly all of a host at once. Each would cost a call its time limit.
@Suite("Idle connections beside one that was dead", .timeLimit(.minutes(5)))
struct DistrustTests {
    /// Runs `body` with connections 0 and 1, which are idle and silent from now on. Others respond.
    private func runWithTwoIdle(
        _ line: ConnectionLine,
        _ driver: CurlTransport.Configuration.Driver = .automatic,
        _ body: (Caller) async throws -> Void
    ) async throws {
        let areBoth = Signal<Void>()
        try await line.run(driver: driver) { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            guard number < 2 else { return try await peer.serve() }
            let request = try await peer.readRequest()
            if ledger.requests.count == 2 { areBoth.settle() }
            try await areBoth.value()
            try await wire.flush(HTTP1Peer.echo(request))
            // Silent, but it reads.
            while try await wire.readSome() != nil {}
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in 0..<2 { group.addTask { await caller.expectOwn(.get, "/\(number)") } }
            }
            #expect(await caller.transport.statistics.connections.values.map(\.idle) == [2])
            try await body(caller)
        }
    }

    @Test(
        "after a call has timed out on a reused connection, the next uses a new one",
        arguments: ConnectionLine.http1,
        drivers
    )
    func isReused(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        try await runWithTwoIdle(line, driver) { caller in
            let failure = try await caller.failure(.post, "/dead") { $0.timeouts.firstByte = .milliseconds(100) }
            #expect(failure.kind == .timedOut && failure.delivery == .maybeSent)
            for form in CallForm.allCases { await caller.expectOwn(form, "/next-\(form)") }
            #expect(caller.ledger.connections == 3)
            await caller.ledger.wait { $0.openConnections == 1 }
        }
    }

    @Test("a cancelled call leaves the other idle connections", arguments: ConnectionLine.http1)
    func isCancelled(line: ConnectionLine) async throws {
        let isSent = Signal<Void>()
        let areIdle = Signal<Void>()
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            while true {
                let request = try await peer.readRequest()
                switch request.target {
                case "/0", "/1":
                    if ledger.requests.count == 2 { areIdle.settle() }
                    try await areIdle.value()
                case "/cancelled":
                    isSent.settle()
                    while try await wire.readSome() != nil {}
                default: break
                }
                try await wire.flush(HTTP1Peer.echo(request))
            }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in 0..<2 { group.addTask { await caller.expectOwn(.get, "/\(number)") } }
            }
            let call = Task { try await caller.failure(.get, "/cancelled") }
            try await isSent.value()
            call.cancel()
            #expect(try await call.value.kind == .cancelled)
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 2)
        }
    }

    @Test("a call that times out on its own connection leaves the idle ones", arguments: ConnectionLine.http1)
    func isNew(line: ConnectionLine) async throws {
        let isSecond = Signal<Void>()
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            guard number > 0 else {
                let request = try await peer.readRequest()
                try await isSecond.value()
                try await wire.flush(HTTP1Peer.echo(request))
                return try await peer.serve()
            }
            _ = try await peer.readRequest()
            isSecond.settle()
            while try await wire.readSome() != nil {}
        } _: { caller in
            try await withThrowingTaskGroup { group in
                group.addTask { await caller.expectOwn(.get, "/first") }
                await caller.ledger.wait { $0.requests.count == 1 }
                group.addTask {
                    let failure = try await caller.failure(.get, "/slow") { $0.timeouts.firstByte = .milliseconds(200) }
                    #expect(failure.kind == .timedOut)
                }
                try await group.waitForAll()
            }
            await caller.expectOwn(.get, "/next")
            #expect(caller.ledger.connections == 2)
            #expect(caller.ledger.deliveries(of: "/next").first?.connection == 0)
        }
    }
}
