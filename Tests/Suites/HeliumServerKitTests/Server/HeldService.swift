import Foundation
import GRDB
import HTTPTypes
import HeliumConcurrency
import HeliumDatabase
import Logging

@testable import HeliumServerKit

/// A protocol whose response to `/held` waits for ``Control/gate``. Other responses are immediate; that to `/large` has
/// ``largeBytes``.
struct HeldService: ServerProtocol {
    struct Configuration: ServerProtocolConfiguration {
        init() {}
        func validate(limits: ServerLimits) throws(EmbeddedServerError) {}
    }

    struct Control: Sendable {
        let arrival = Signal<Void>()
        let gate = Signal<Void>()
    }

    struct Information: ReadyMember {
        var description: String { "held" }
        var customMirror: Mirror { Mirror(self, children: []) }
    }

    static let name = "held"
    static let largeBytes = 4 << 20
    static var migrator: DatabaseMigrator { DatabaseMigrator() }
    static var storedTables: [StoredTable] { [] }

    let control = Control()

    init(_ configuration: Configuration, _ environment: ServerEnvironment) throws {}

    func start(at address: ServerAddress) -> Information? { Information() }
    func handles(_ path: Substring) -> Bool { true }

    func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        ServerReply(status: .badRequest)
    }

    func respond(to request: ServerRequest) async -> ServerReply {
        switch request.path {
        case "/held":
            control.arrival.settle()
            try? await control.gate.valueIgnoringCancellation()
            return ServerReply(status: .ok, body: Array("held".utf8))
        case "/large": return ServerReply(status: .ok, body: [UInt8](repeating: 0x61, count: Self.largeBytes))
        default: return ServerReply(status: .ok, body: Array("ok".utf8))
        }
    }
}

/// A server with a ``HeldService`` that a test stops itself.
struct HeldServer {
    let server: EmbeddedServer
    let held: HeldService.Control
    let port: Int
    let running: Task<Void, any Error>

    init(_ change: (inout EmbeddedServerConfiguration) -> Void) async throws {
        var configuration = EmbeddedServerConfiguration()
        // Longer than any test may take, so that no test passes because the time is over.
        configuration.limits.shutdown = .seconds(600)
        change(&configuration)
        let server = try EmbeddedServer(
            configuration,
            protocols: [HeldService.self],
            logger: Logger(label: "held") { _ in SwiftLogNoOpLogHandler() }
        )
        self.server = server
        running = Task { try await server.run() }
        port = try await server.ready().http.port ?? 0
        held = server.protocols.compactMap { $0 as? HeldService }[0].control
    }

    /// Begins to stop the server.
    func stop() { running.cancel() }

    /// Waits until the server has stopped.
    func end() async throws { try await running.value }
}
