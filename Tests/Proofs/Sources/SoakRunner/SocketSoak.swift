import Cosm
import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting

@testable import TestSupport

/// WebSockets that are opened and ended in every way, many at a time, in clear text and over TLS, while the servers cut all of
/// them again and again.
struct SocketSoak {
    private static let rounds = 10

    let connects: Int
    let concurrency: Int
    let seed: UInt64
    let ledger: Ledger

    /// - Returns: The footprint after each round.
    func run() async throws -> [Footprint] {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.limits.connections = 4096
            let clear = configuration
            configuration.tls = certificates.server
            let secured = configuration
            return try await withEmbeddedServer(clear) { clear in
                try await withEmbeddedServer(secured) { secured in
                    let authority = certificates.authorityPath
                    return try await rounds(
                        over: [SocketSite(clear, authority: nil), SocketSite(secured, authority: authority)]
                    )
                }
            }
        }
    }

    private func rounds(over sites: [SocketSite]) async throws -> [Footprint] {
        var footprints: [Footprint] = []
        let descriptors = Footprint.now.descriptors
        for number in 0..<Self.rounds {
            try await round(number, over: sites)
            // A server that ends TLS waits for its client for five seconds, also if that has gone.
            let footprint = await Footprint.settled(to: descriptors, upTo: 10)
            footprints.append(footprint)
            say("soak: sockets: \(ledger.ended) connects: \(footprint), \(ledger.openCount) open")
        }
        return footprints
    }

    private func round(_ number: Int, over sites: [SocketSite]) async throws {
        var random = SeededRandom(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
        let clients = try sites.map { try $0.client() }
        let workers = (0..<concurrency).map { _ in
            SocketWorker(random: SeededRandom(seed: random.next()), sites: sites, clients: clients, ledger: ledger)
        }
        let (tasks, chaos) = (Self.rounds * concurrency, random.next())
        let share = (connects + tasks - 1) / tasks
        let cutting = Task {
            var random = SeededRandom(seed: chaos)
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(5 + random.below(40)))
                random.pick(sites).control.dropSockets()
            }
        }
        await withTaskGroup { group in
            for worker in workers {
                group.addTask {
                    var worker = worker
                    for _ in 0..<share { await worker.connect() }
                }
            }
        }
        cutting.cancel()
        await cutting.value
        for client in clients { await client.close() }
    }
}

/// A server of WebSockets.
struct SocketSite: Sendable {
    let url: URL
    let control: CosmControl
    /// A request that the server answers.
    let request: String
    let authority: String?

    init(_ server: RunningServer, authority: String?) {
        url = server.ready.cosm.webSocket
        control = server.cosm
        request = #"{"method":"get","resource":"/feeds/1","headers":{"X-ApiKey":"\#(server.ready.cosm.key)"}}"#
        self.authority = authority
    }

    /// A client whose WebSockets share its loop.
    func client() throws -> Helium {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        components?.scheme = authority == nil ? "http" : "https"
        components?.path = ""
        guard let base = components?.url else { throw CocoaError(.fileReadInvalidFileName) }
        var connection = CurlTransport.Configuration()
        connection.certificateAuthorityFile = authority
        return try Helium(baseURL: base, connection: connection)
    }
}
