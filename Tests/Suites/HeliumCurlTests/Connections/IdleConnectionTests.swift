import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// RFC 9112 §9.3, §9.5: a connection on which something happens while no response is outstanding is at its end.
@Suite("Idle connections over HTTP/1.1", .tags(.random), .timeLimit(.minutes(5)))
struct IdleConnectionTests {
    @Test("a call gets its own response from a new connection", arguments: IdleCell.all)
    func moves(cell: IdleCell) async throws {
        try await cell.line.prepare { line in
            try await withThrowingTaskGroup { group in
                for form in CallForm.allCases {
                    group.addTask { try await move(form, cell, line) }
                }
                try await group.waitForAll()
            }
        }
    }

    private func move(_ form: CallForm, _ cell: IdleCell, _ line: PreparedLine) async throws {
        let isIdle = Signal<Void>()
        let hasHappened = Signal<Void>()
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            if number == 0 {
                try await cell.event.begin(on: peer)
                try await isIdle.value()
                // The client may have left before all of it has happened.
                try? await cell.event.happen(on: wire, isSecure: cell.line.isSecure)
                hasHappened.settle()
            }
            try await peer.serve()
        } _: { caller in
            let first = try caller.request(.get, "/first").with {
                if cell.event == .lateBodyOfHead { $0.method = .head }
            }
            _ = try await caller.transport.execute(first)
            isIdle.settle()
            try await hasHappened.value()
            if cell.wait > .zero { try await Task.sleep(for: cell.wait) }
            await caller.expectOwn(form, "/second", mustMove: !cell.event.isHarmless)
            await caller.expectOwn(form, "/third", "the call after it")
        }
    }

    @Test("an undisturbed connection is used again", arguments: ConnectionLine.http1, CallForm.allCases)
    func reuses(line: ConnectionLine, form: CallForm) async throws {
        try await line.run { wire, number, ledger in
            try await HTTP1Peer(wire, number: number, ledger: ledger).serve()
        } _: { caller in
            try await caller.connect()
            for number in 0..<3 { await caller.expectOwn(form, "/\(number)") }
            #expect(caller.ledger.connections == 1)
            let statistics = await caller.transport.statistics
            #expect(statistics.openedConnections == 1 && statistics.reusedConnections == 3)
        }
    }

    @Test("bytes that come after a request was written are its response", arguments: ConnectionLine.http1)
    func belongsToCall(line: ConnectionLine) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            if number == 0 {
                try await wire.flush(HTTP1Peer.echo(peer.readRequest()))
                _ = try await peer.readRequest()
                try await wire.flush(
                    "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlate"
                )
                return try await wire.end(isSecure: line.isSecure)
            }
            try await peer.serve()
        } _: { caller in
            try await caller.connect()
            let reply = try await caller.send(.post, "/second")
            #expect(reply == Caller.Reply(status: 408, text: "late"))
            #expect(caller.ledger.connections == 1 && caller.ledger.deliveries(of: "/second").count == 1)
            await caller.expectOwn(.post, "/third", mustMove: true)
        }
    }
}
