import Foundation
import HeliumServer
import HeliumServerTesting
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("The vectors over a real socket", .enabled(if: SignatureVectors.shared != nil), .timeLimit(.minutes(2)))
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
            for device in devices { try await running.middleware.state.store.save(device, maximum: 10) }
            try await body(Peer(running: running))
        }
    }

    /// HTTP cannot show the server an absolute-form target: its HTTP library reduces it to a path.
    static let sendable = SignatureVectors.accepted.filter { $0.id != "get-absolute-form" }

    @Test("a good key reaches its route", arguments: sendable)
    func accepts(_ vector: SignatureVectors.Vector) async throws {
        let input = vector.input
        let target = try #require(input.requestTarget)
        let seconds = try #require(Int64(input.timestamp))
        try await withPeer(now: seconds * 1000, devices: [KeyVerifierTests.device(input.deviceId)]) { peer in
            var fields = [("key", vector.expectedKey), ("User-Agent", "Helium tests")]
            if let type = input.contentType { fields.append(("Content-Type", type)) }
            if input.scheme == "https" { fields.append(("X-Forwarded-Proto", "https")) }
            let answer = try await peer.send(
                input.method,
                target,
                fields: fields,
                body: input.bodyBase64.flatMap { Data(base64Encoded: $0) }.map(Array.init),
                host: input.hostHeader
            )
            let hasRoute = target.lowercased().hasPrefix("/demo-auth/v1/todo") || target.contains("/devices/")
            if hasRoute {
                #expect(answer["timestamp"] == String(seconds * 1000))
                #expect(![401, 403].contains(answer.status), "\(answer.text)")
            } else {
                #expect(answer.status == 404)
                #expect(answer["timestamp"] == nil)
            }
        }
    }

    @Test(
        "a bad key is refused with the original's status and code",
        arguments: SignatureVectors.shared?.rejections.filter { $0.request.requestTarget != "/" } ?? []
    )
    func refuses(_ rejection: SignatureVectors.Rejection) async throws {
        let request = rejection.request
        try await withPeer(
            now: rejection.nowMs,
            secrets: rejection.configuredSecrets,
            devices: rejection.configuredDevices
        ) { peer in
            var fields = [("User-Agent", "Helium tests")]
            if let key = request.key { fields.append(("key", key)) }
            if let type = request.contentType { fields.append(("Content-Type", type)) }
            if request.scheme == "https" { fields.append(("X-Forwarded-Proto", "https")) }
            for (name, value) in request.extraHeaders ?? [:] { fields.append((name, value)) }
            let answer = try await peer.send(
                request.method,
                request.requestTarget,
                fields: fields,
                body: request.bodyBase64.flatMap { Data(base64Encoded: $0) }.map(Array.init),
                host: request.hostHeader
            )
            // The page's DELETE of a list has no route; its key is checked above, without a socket.
            if rejection.id == "wrong-method" {
                #expect(answer.status == 404)
                return
            }
            #expect(answer.status == rejection.status)
            #expect(answer.codes.contains(rejection.code))
            #expect((answer["timestamp"] != nil) == (rejection.status != 400))
            let realm = "Token realm=\"\(request.scheme)://\(request.hostHeader)/demo-auth/v1\""
            #expect(answer["www-authenticate"] == (rejection.status == 401 ? realm : nil))
        }
    }
}
