internal import Foundation
package import GRDB
internal import HTTPTypes
internal import HeliumJSON
package import HeliumServerKit
internal import Logging

/// The Jetstream service of a server (Docs/Protocols/Jetstream.md §5): one WebSocket, over which clients fetch and
/// change scopes.
package struct JetstreamService: ServerProtocol {
    package static let name = "jetstream"
    package static var migrator: DatabaseMigrator { JetstreamStore.migrator }
    package static var storedTables: [StoredTable] { JetstreamStore.storedTables }

    package static func problems(
        of configuration: JetstreamConfiguration,
        in database: Database
    ) throws -> [String] {
        try JetstreamStore.problems(of: configuration.scopes, in: database)
    }

    package let control: JetstreamControl
    package let live: LiveServer?
    private let host: JetstreamHost
    private let path: String?
    private let scopeNames: [String]

    package init(_ configuration: JetstreamConfiguration, _ environment: ServerEnvironment) throws {
        let store = environment.isPersistent ? JetstreamStore(environment.access) : nil
        var settings = JetstreamEngine.Settings()
        settings.limits = configuration.limits
        settings.sharePerAddress = environment.limits.sharePerAddress
        settings.hasOriginalRules = configuration.compatibility == .original
        settings.isPersistent = store != nil
        if configuration.authorization.connection != nil { settings.questions.insert(.connection) }
        if configuration.authorization.session != nil { settings.questions.insert(.session) }
        if configuration.authorization.fetch != nil { settings.questions.insert(.fetch) }
        settings.write = configuration.authorization.write
        let makeEngine: JetstreamStore.EngineFactory = { [settings, random = environment.random] state in
            try JetstreamEngine(configuration.scopes, settings: settings, random: random, restoring: state)
        }
        let engine = try store?.open(makeEngine) ?? makeEngine(StoredState())
        scopeNames = engine.scopeNames
        for (name, fault) in engine.unservedScopes {
            environment.logger.error(
                "A scope of Jetstream is not served",
                metadata: ["scope": "\(name)", "reason": "\(fault)"]
            )
        }
        host = JetstreamHost(
            engine,
            authorization: configuration.authorization,
            store: store.map { ($0, makeEngine) },
            clock: configuration.clock,
            logger: environment.logger
        )
        path = configuration.path
        control = JetstreamControl(host: host)
        live = LiveServer(
            maxima: LiveMaxima(
                connections: configuration.limits.sessions,
                unauthenticatedConnections: 256,
                // Room for the retained messages, and for the same amount when they are resent.
                queueBytes: 2 * min(configuration.limits.retainedBytes, 1 << 60) + (1 << 20),
                objectBytes: configuration.limits.frameBytes,
                // Later than the engine's own timeout, so that the engine's takes effect.
                authentication: configuration.limits.handshake * 3 / 2
            ),
            acceptsBinary: true,
            environment: environment
        )
    }

    package func start(at address: ServerAddress) -> ReadyInformation.Jetstream? {
        URL(string: address.webSocketRoot + (path ?? "")).map {
            ReadyInformation.Jetstream(scopes: scopeNames, webSocket: $0)
        }
    }

    /// Keeps timers active as long as the server runs.
    package func runInBackground() async throws { try await host.run() }

    package func hasLiveEndpoint(at path: Substring) -> Bool { handles(path) }

    package func admission(of handshake: ServerRequest) async -> LiveAdmission {
        .session(
            JetstreamLiveSession(
                host: host,
                id: host.nextConnection(),
                parameters: ConnectionParameters.read(from: handshake)
            ),
            isAuthenticated: false
        )
    }

    package func handles(_ path: Substring) -> Bool { self.path.map { path.hasSameBytes(as: $0) } ?? true }

    package func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply { Self.onlyWebSockets }

    package func respond(to request: ServerRequest) async -> ServerReply { Self.onlyWebSockets }

    private static var onlyWebSockets: ServerReply {
        var reply = ServerReply.text(
            .upgradeRequired,
            "this is a WebSocket endpoint\n",
            type: "text/plain; charset=utf-8"
        )
        reply.fields[.upgrade] = "websocket"
        return reply
    }
}

/// The parameters of a handshake (Docs/Protocols/Jetstream.md §1.1).
enum ConnectionParameters {
    private static let prefix = "x-jetstream-"

    /// Reads `X-Jetstream-NAME` from the header, with names in lower case, and from the query, where names keep their
    /// case. If both have a parameter, the header's counts.
    static func read(from handshake: ServerRequest) -> JSONObject {
        var parameters = JSONObject()
        for field in handshake.fields where field.name.canonicalName.hasPrefix(prefix) {
            let name = String(field.name.canonicalName.dropFirst(prefix.count))
            parameters[name] = parameters[name] ?? .string(field.value)
        }
        for (name, value) in FormText.pairs(of: handshake.queryText) {
            guard name.utf8.count > prefix.utf8.count else { continue }
            let start = String(decoding: name.utf8.prefix(prefix.utf8.count), as: UTF8.self)
            guard start.isASCII, start.lowercased() == prefix else { continue }
            let name = String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
            parameters[name] = parameters[name] ?? .string(value)
        }
        return parameters
    }
}
