import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Signature vectors of the original server over a socket", .timeLimit(.minutes(5)))
struct WireVectorTests {
    private func withPeer(
        now: Int64,
        secrets: [MiddlewareSecret] = [.publicExample],
        devices: [DeviceRecord],
        _ body: (Peer) async throws -> Void
    ) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.middleware.clock = .fixed(milliseconds: now)
        configuration.middleware.secrets = secrets
        try await withEmbeddedServer(configuration) { running in
            for device in devices { try await running.middleware.state.store.insert(device, maximum: 10) }
            try await body(Peer(running: running))
        }
    }

    /// HTTP cannot show the server an absolute-form target: its HTTP library reduces it to a path.
    static let sendable = SignatureVectors.valid.filter { $0.name != "get-absolute-form" }

    @Test("a request with a valid signature reaches its route", arguments: sendable)
    func accepts(_ vector: SignatureVectors.Signature) async throws {
        let target = try #require(vector.target)
        let now = vector.timestamp * 1000
        try await withPeer(now: now, devices: [KeyVerifierTests.device(vector.deviceID)]) { peer in
            var fields = [("key", vector.key), ("User-Agent", "Helium tests")]
            if let type = vector.contentType { fields.append(("Content-Type", type)) }
            if vector.scheme == "https" { fields.append(("X-Forwarded-Proto", "https")) }
            let answer = try await peer.send(
                vector.method,
                target,
                fields: fields,
                body: vector.bodyBase64.flatMap { Data(base64Encoded: $0) }.map(Array.init),
                host: vector.host
            )
            let hasRoute = target.lowercased().hasPrefix("/demo-auth/v1/todo") || target.contains("/devices/")
            if hasRoute {
                #expect(answer["timestamp"] == String(now))
                #expect(![401, 403].contains(answer.status), "\(answer.text)")
            } else {
                #expect(answer.status == 404)
                #expect(answer["timestamp"] == nil)
            }
        }
    }

    @Test(
        "a request with an invalid signature gets the status and code of the original server",
        arguments: SignatureVectors.fixture.rejected.filter { $0.target != "/" }
    )
    func refuses(_ rejection: SignatureVectors.Rejection) async throws {
        try await withPeer(
            now: rejection.serverMilliseconds,
            secrets: rejection.configuredSecrets,
            devices: rejection.configuredDevices
        ) { peer in
            var fields = [("User-Agent", "Helium tests")]
            if let key = rejection.key { fields.append(("key", key)) }
            if let type = rejection.contentType { fields.append(("Content-Type", type)) }
            if rejection.scheme == "https" { fields.append(("X-Forwarded-Proto", "https")) }
            for (name, value) in rejection.fields ?? [:] { fields.append((name, value)) }
            let answer = try await peer.send(
                rejection.method,
                rejection.target,
                fields: fields,
                body: rejection.bodyBase64.flatMap { Data(base64Encoded: $0) }.map(Array.init),
                host: rejection.host
            )
            // The page's DELETE of a list has no route; its key is checked above, without a socket.
            if rejection.name == "wrong-method" {
                #expect(answer.status == 404)
                return
            }
            #expect(answer.status == rejection.status)
            #expect(answer.codes.contains(rejection.code))
            #expect((answer["timestamp"] != nil) == (rejection.status != 400))
            let realm = "Token realm=\"\(rejection.scheme)://\(rejection.host)/demo-auth/v1\""
            #expect(answer["www-authenticate"] == (rejection.status == 401 ? realm : nil))
        }
    }
}
