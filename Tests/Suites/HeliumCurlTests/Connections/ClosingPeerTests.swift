import HeliumConcurrency
import HeliumCore
import HeliumCurl
import NIOCore
import Synchronization
import Testing
import WireSupport

/// Servers that limit the requests of a connection and its idle time, as nginx does (`keepalive_requests`,
/// `keepalive_timeout`).
@Suite("Servers that end their connections", .timeLimit(.minutes(5)))
struct ClosingPeerTests {
    /// The requests of a connection.
    private static let most = 5

    @Test(
        "many calls at once get their own responses from a server that ends each connection after five",
        arguments: ConnectionLine.http1,
        [false, true]
    )
    func limits(line: ConnectionLine, isAnnounced: Bool) async throws {
        try await line.prepare { line in
            // A connection for each call, and so few that most calls wait for one that becomes free.
            for most in [128, 4] { try await limit(line, isAnnounced: isAnnounced, connections: most) }
        }
    }

    private func limit(_ line: PreparedLine, isAnnounced: Bool, connections: Int) async throws {
        let isSecure = line.line.isSecure
        let open = OpenChannels()
        try await line.run(upTo: connections) { wire, number, ledger in
            let peer = HTTP1Peer(wire, number: number, ledger: ledger)
            guard open.add(wire.channel) else { return try await wire.end(isSecure: isSecure) }
            for _ in 1..<Self.most { try await wire.flush(HTTP1Peer.echo(peer.readRequest())) }
            let request = try await peer.readRequest()
            if isAnnounced {
                try await wire.flush(HTTP1Peer.echo(request, fields: "Connection: close\r\n"))
                return try await wire.end(isSecure: isSecure)
            }
            // An end that is not announced comes with the response: a client that was faster could not know of it.
            try await wire.holdBack()
            try await wire.end(after: HTTP1Peer.echo(request), isSecure: isSecure)
        } _: { caller in
            for wave in 0..<3 {
                await callManyTimes(caller, "\(wave)-\(connections)", CallForm.allCases)
                // The idle time of all connections is over, while no call is under way.
                await open.endAll(isSecure: isSecure)
                await caller.ledger.wait { $0.openConnections == 0 }
                open.takeNew()
            }
            #expect(caller.ledger.connections >= 3 * 40 / Self.most)
        }
    }

    /// RFC 9113 §6.8: streams above the last one of GOAWAY were not processed. A call may be turned away by seven
    /// connections here, before the eighth has a place for it.
    @Test(
        "many calls at once get their own responses from a server that sends GOAWAY after five",
        arguments: ConnectionLine.http2
    )
    func goesAway(line: ConnectionLine) async throws {
        try await line.run { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            var last: UInt32 = 0
            for count in 1...Self.most {
                let request = try await peer.nextRequest()
                last = max(last, request.stream)
                if count == Self.most { try await peer.goAway(last: last) }
                try await peer.respond(to: request)
            }
            // The streams above are ignored. The client ends the connection.
            while true {
                guard case .whole(let request) = try await peer.next(), request.stream <= last else { continue }
                peer.process(request)
                try await peer.respond(to: request)
            }
        } _: { caller in
            // A body that can be read once can't be sent again.
            for wave in 0..<2 { await callManyTimes(caller, "\(wave)", [.get, .post, .put, .stream]) }
        }
    }

    private func callManyTimes(_ caller: Caller, _ wave: String, _ forms: [CallForm]) async {
        await withDiscardingTaskGroup { group in
            for number in 0..<40 {
                let form = forms[number % forms.count]
                group.addTask { await caller.expectOwn(form, "/\(wave)-\(number)", "wave \(wave)") }
            }
        }
    }
}

/// The connections of a server.
private final class OpenChannels: Sendable {
    private let state = Guarded((channels: [any Channel](), takesNew: true))

    /// Returns `false` if the connection has to end.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            if state.takesNew { state.channels.append(channel) }
            return state.takesNew
        }
    }

    func takeNew() { state.withLock { $0.takesNew = true } }

    /// Ends all connections in order, and those that come until ``takeNew()``: a call that got another connection has
    /// perhaps begun one.
    func endAll(isSecure: Bool) async {
        let all = state.withLock { state in
            state.takesNew = false
            defer { state.channels = [] }
            return state.channels
        }
        // Those that have ended before fail.
        for channel in all { try? await WirePeer.end(channel, isSecure: isSecure) }
    }
}
