import Foundation
import HTTPTypes
import HeliumJSON
import HeliumServer
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Signature vectors of the original server")
struct KeyVerifierTests {
    /// Steps 1 and 4 to 12 as the service runs them, without a socket.
    private func outcome(
        key: String,
        method: String,
        scheme: String,
        host: String,
        target: String,
        contentType: String?,
        body: String?,
        now: Int64,
        secrets: [MiddlewareSecret] = [.publicExample],
        devices: [DeviceRecord]
    ) async throws -> Result<KeyVerifier.Identity, KeyFailure> {
        var fields = HTTPFields()
        fields[.contentType] = contentType
        let bytes = body.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
        let document = try RequestDocument.parse(bytes, fields: fields, ceiling: 512 * 1024)
        let verifier = KeyVerifier(secrets: secrets, staticKeys: [.publicExample], group: "demo")
        do {
            return .success(
                try await verifier.verify(
                    key,
                    request: SignedRequest(
                        method: method,
                        scheme: scheme,
                        hostHeader: host,
                        requestTarget: target,
                        bodyText: document.text
                    ),
                    now: now,
                    address: "127.0.0.1"
                ) { id in devices.first { $0.id == id } }
            )
        } catch let failure as KeyFailure {
            return .failure(failure)
        }
    }

    static func device(_ id: String, _ status: DeviceRecord.Status = .active) -> DeviceRecord {
        DeviceRecord(id: id, status: status, description: .object([:]), created: 0, lastModified: 0)
    }

    @Test("a key that the original server accepts is accepted", arguments: SignatureVectors.valid)
    func acceptsVector(_ vector: SignatureVectors.Signature) async throws {
        let result = try await outcome(
            key: vector.key,
            method: vector.method,
            scheme: try #require(vector.scheme),
            host: try #require(vector.host),
            target: try #require(vector.target),
            contentType: vector.contentType,
            body: vector.bodyBase64,
            now: vector.timestamp * 1000,
            devices: [Self.device(vector.deviceID)]
        )
        guard case .success(.device(let device)) = result else {
            Issue.record("refused: \(result)")
            return
        }
        #expect(device.id == vector.deviceID)
    }

    @Test(
        "a variation of a key that the original server accepts is accepted",
        arguments: SignatureVectors.fixture.accepted
    )
    func acceptsVariation(_ variation: SignatureVectors.Variation) async throws {
        let base = try #require(SignatureVectors.valid.first { $0.name == variation.of })
        let result = try await outcome(
            key: variation.key,
            method: base.method,
            scheme: try #require(base.scheme),
            host: try #require(base.host),
            target: try #require(base.target),
            contentType: nil,
            body: nil,
            now: variation.serverMilliseconds,
            devices: [Self.device(base.deviceID)]
        )
        #expect(throws: Never.self) { try result.get() }
    }

    @Test(
        "an invalid key gets the status and code of the original server",
        arguments: SignatureVectors.fixture.rejected.filter { $0.status != 400 }
    )
    func refuses(_ rejection: SignatureVectors.Rejection) async throws {
        let result = try await outcome(
            key: try #require(rejection.key),
            method: rejection.method,
            scheme: rejection.scheme,
            host: rejection.host,
            target: rejection.target,
            contentType: rejection.contentType,
            body: rejection.bodyBase64,
            now: rejection.serverMilliseconds,
            secrets: rejection.configuredSecrets,
            devices: rejection.configuredDevices
        )
        guard case .failure(let failure) = result else {
            Issue.record("accepted")
            return
        }
        #expect(failure.status == rejection.status)
        #expect(failure.code == rejection.code)
    }

    @Test("a signed text is lower-cased as by the original server")
    func lowerCases() {
        let texts = SignatureVectors.fixture.lowercased
        #expect(texts.count == 18)
        for text in texts {
            #expect(Array(DefaultLowerCase.apply(to: text.text).utf8) == Array(text.lowercase.utf8))
            #expect(SignedRequest.hash(text.text) == text.sha256)
        }
    }

    @Test("the fixture of signature vectors is complete")
    func count() {
        let vectors = SignatureVectors.fixture
        #expect(vectors.signatures.count == 47)
        #expect(SignatureVectors.valid.count == 45)
        #expect(vectors.accepted.count == 5)
        #expect(vectors.rejected.count == 28)
    }
}

extension SignatureVectors.Rejection {
    var configuredSecrets: [MiddlewareSecret] {
        secrets.map { secrets in
            secrets.map { item in
                var secret = MiddlewareSecret(id: item.id, secret: item.secret)
                secret.groups = Set(item.groups)
                secret.isEnabled = item.isEnabled
                return secret
            }
        } ?? [.publicExample]
    }

    var configuredDevices: [DeviceRecord] {
        devices.map { devices in
            devices.map { KeyVerifierTests.device($0.id, DeviceRecord.Status(rawValue: $0.status) ?? .active) }
        } ?? [KeyVerifierTests.device("a08ada7c88e2bd6c966de2c5cdfafe12")]
    }
}
