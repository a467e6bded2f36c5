import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import TestSupport
import Testing
import WireSupport

@Suite("Limits of idle connections", .timeLimit(.minutes(5)))
struct IdleLimitTests {
    @Test(
        "an idle connection is closed at its limit, and the next call uses another",
        arguments: ConnectionLine.all,
        drivers
    )
    func isClosed(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        var times = ConnectionTimes()
        times.idle = 50_000_000
        try await line.run(driver: driver, times: times) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { try await $0.serve() }
        } _: { caller in
            for form in CallForm.allCases {
                await caller.expectOwn(form, "/\(form)")
                // The client ends it, by itself.
                await caller.ledger.wait { $0.openConnections == 0 }
                let statistics = await caller.transport.statistics
                #expect(statistics.connections.isEmpty && statistics.reusedConnections == 0)
            }
            #expect(caller.ledger.connections == CallForm.allCases.count)
        }
    }

    /// A second less than the server's own limit, so that no call meets its end.
    @Test("the server's limit closes a connection a second before", arguments: ConnectionLine.http1)
    func isAnnounced(line: ConnectionLine) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            let seconds = number == 0 ? 2 : 1
            let request = try await peer.readRequest()
            let begin = ContinuousClock.now
            try await wire.flush(HTTP1Peer.echo(request, fields: "Keep-Alive: timeout=\(seconds), max=9\r\n"))
            let rest = try await wire.readSome()
            #expect(rest == nil)
            let time = ContinuousClock.now - begin
            if number == 0 { #expect(time >= .seconds(1) && time < .seconds(55), "\(time)") }
        } _: { caller in
            for form in [CallForm.get, .stream] {
                await caller.expectOwn(form, "/\(form)")
                await caller.ledger.wait { $0.openConnections == 0 }
            }
            #expect(caller.ledger.connections == 2)
        }
    }

    @Test("the loop sleeps beside idle connections", .tags(.alone))
    func sleeps() async throws {
        // All at once, because each waits on a loop of its own.
        try await withThrowingTaskGroup { group in
            for line in ConnectionLine.all {
                for driver in drivers { group.addTask { try await sleep(beside: line, driver) } }
            }
            try await group.waitForAll()
        }
    }

    private func sleep(beside line: ConnectionLine, _ driver: CurlTransport.Configuration.Driver) async throws {
        try await line.run(driver: driver) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { try await $0.serve() }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in 0..<8 { group.addTask { await caller.expectOwn(.post, "/\(number)") } }
            }
            // What went before may end late, as does the TLS handshake of a connection that no call needs any more.
            try await eventually {
                guard await caller.transport.statistics.connections.values.allSatisfy({ $0.busy == 0 }) else {
                    return false
                }
                let turns = caller.transport.loopTurns
                try await Task.sleep(for: .milliseconds(150))
                return caller.transport.loopTurns == turns
            }
            let turns = caller.transport.loopTurns
            try await Task.sleep(for: .milliseconds(400))
            // A machine that stopped may have made it look once more.
            #expect(caller.transport.loopTurns - turns <= 1, "\(line), \(driver)")
        }
    }
}
