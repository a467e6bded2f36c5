import HeliumCurl
import Testing
import WireSupport

/// The end of a server's connection after GOAWAY.
enum HTTP2Departure: CaseIterable, Sendable { case closes, stays }

extension PreparedLine {
    /// Runs `body` with a server whose first connection has a script, which begins after the response to the first
    /// call. The other connections respond to everything, and so does the first after its script.
    func runHTTP2(
        driver: CurlTransport.Configuration.Driver = .automatic,
        times: ConnectionTimes = ConnectionTimes(),
        first: @escaping @Sendable (HTTP2Peer) async throws -> Void,
        _ body: (Caller) async throws -> Void
    ) async throws {
        try await run(driver: driver, times: times) { wire, number, ledger in
            let peer = HTTP2Peer(wire, number: number, ledger: ledger)
            try await peer.start()
            if number == 0 {
                try await peer.respond(to: peer.nextRequest())
                try await first(peer)
            }
            try await peer.serve()
        } _: { caller in
            try await caller.connect()
            try await body(caller)
        }
    }
}

extension ConnectionLine {
    /// Runs `body` with a transport and a server whose first connection has a script.
    func runHTTP2(
        driver: CurlTransport.Configuration.Driver = .automatic,
        times: ConnectionTimes = ConnectionTimes(),
        first: @escaping @Sendable (HTTP2Peer) async throws -> Void,
        _ body: (Caller) async throws -> Void
    ) async throws {
        try await prepare { try await $0.runHTTP2(driver: driver, times: times, first: first, body) }
    }
}
