import Foundation
import GRDB
import HTTPTypes
import HeliumCore
import HeliumServerTesting
import HeliumTesting
import Logging
import ServerSupport
import Synchronization
import TestSupport

@testable import HeliumServer
@testable import HeliumServerKit

/// A server in memory with a store, whose own secrets are known: those of its configuration are planted, and the others
/// are read from the store.
struct PlantedServer {
    static let middlewareSecret = "pl4nted-middleware-secret-000001"
    static let staticKey = "pl4nted-static-key-0000000000001"
    static let masterKey = "pl4nted-master-key"
    static let password = "pl4nted-password"
    static let userToken = "pl4nted-user-token"
    static let appToken = "pl4nted-app-token"
    static let clientSecret = "pl4nted-client-secret"
    static let grantSecret = "pl4nted-grant-secret"

    /// The secrets of the configuration.
    static let configured = [
        middlewareSecret, staticKey, masterKey, password, userToken, appToken, clientSecret, grantSecret,
    ]

    static func configuration(store: String) -> EmbeddedServerConfiguration {
        var configuration = EmbeddedServerConfiguration()
        configuration.usesInlineStore = true
        configuration.store = store
        configuration.middleware.secrets = [
            MiddlewareSecret(id: "91205b43c5144068ee9979b093925f77", secret: middlewareSecret)
        ]
        configuration.middleware.staticKeys = [StaticAccessKey(staticKey)]
        configuration.cosm.masterKey = masterKey
        var app = AppNetAccounts.App(
            clientID: "helium",
            clientSecret: clientSecret,
            passwordGrantSecret: grantSecret
        )
        app.tokens = [appToken]
        let users = [AppNetAccounts.User(name: "alice", password: password, tokens: [userToken])]
        configuration.appNet.accounts = AppNetAccounts(users: users, apps: [app])
        return configuration
    }

    let server: EmbeddedServer
    let transport: InMemoryTransport
    let lines: RecordingLog.Lines
    /// A connection to the store beside those of the server.
    let store: DatabaseQueue

    /// Runs `body` with a server whose store is in a temporary folder.
    static func run(_ body: (Self) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("server.sqlite").path
            let lines = RecordingLog.Lines()
            let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
            let server = try EmbeddedServer(configuration(store: path), logger: logger)
            let transport = try InMemoryTransport(server)
            try await body(
                Self(server: server, transport: transport, lines: lines, store: DatabaseQueue(path: path))
            )
        }
    }

    /// Returns the secrets of the server: those of the configuration, and those of the store.
    func secrets() async throws -> Set<String> {
        try await store.read { try SecretColumns.values(in: $0) }.union(Self.configured)
    }

    /// Sends a request and returns the status, and the fields and the body of the response as one text.
    func answer(_ request: SecretRequest) async throws -> (status: Int, text: String) {
        var sent = TransportRequest(
            method: HTTPRequest.Method(request.method) ?? .get,
            url: try RequestURL(transport.ready.http.absoluteString + request.target)
        )
        for (name, value) in request.fields {
            if let name = HTTPField.Name(name) { sent.fields[name] = value }
        }
        sent.body = request.body.map { Data($0.utf8) }
        let response = try await transport.execute(sent)
        let fields = response.head.fields.map { "\($0.name.rawName): \($0.value)" }
        let body = String(decoding: response.collectedBody ?? Data(), as: UTF8.self)
        return (response.head.status, (fields + ["", body]).joined(separator: "\n"))
    }
}

/// A request that a test sends, with the credentials that it has.
struct SecretRequest: Sendable {
    var method: String
    var target: String
    var fields: [(name: String, value: String)] = []
    var body: String?

    var name: String { "\(method) \(target)" }
}
