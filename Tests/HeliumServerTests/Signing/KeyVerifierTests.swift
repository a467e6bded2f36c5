import Foundation
import HTTPTypes
import HeliumJSON
import HeliumServer
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("The key check, against the vectors of the original server", .enabled(if: SignatureVectors.shared != nil))
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

    @Test("accepts every key that the original accepts", arguments: SignatureVectors.accepted)
    func acceptsVector(_ vector: SignatureVectors.Vector) async throws {
        let input = vector.input
        let seconds = try #require(Int64(input.timestamp))
        let result = try await outcome(
            key: vector.expectedKey,
            method: input.method,
            scheme: try #require(input.scheme),
            host: try #require(input.hostHeader),
            target: try #require(input.requestTarget),
            contentType: input.contentType,
            body: input.bodyBase64,
            now: seconds * 1000,
            devices: [Self.device(input.deviceId)]
        )
        guard case .success(.device(let device)) = result else {
            Issue.record("refused: \(result)")
            return
        }
        #expect(device.id == input.deviceId)
    }

    @Test(
        "accepts the variations of a key that the original accepts",
        arguments: SignatureVectors.shared?.variations ?? []
    )
    func acceptsVariation(_ variation: SignatureVectors.Variation) async throws {
        let base = try #require(SignatureVectors.accepted.first { $0.id == variation.base })
        let result = try await outcome(
            key: variation.key,
            method: base.input.method,
            scheme: try #require(base.input.scheme),
            host: try #require(base.input.hostHeader),
            target: try #require(base.input.requestTarget),
            contentType: nil,
            body: nil,
            now: variation.nowMs,
            devices: [Self.device(base.input.deviceId)]
        )
        #expect(throws: Never.self) { try result.get() }
    }

    @Test(
        "refuses with the original's status and code",
        arguments: SignatureVectors.shared?.rejections.filter { $0.status != 400 } ?? []
    )
    func refuses(_ rejection: SignatureVectors.Rejection) async throws {
        let request = rejection.request
        let result = try await outcome(
            key: try #require(request.key),
            method: request.method,
            scheme: request.scheme,
            host: request.hostHeader,
            target: request.requestTarget,
            contentType: request.contentType,
            body: request.bodyBase64,
            now: rejection.nowMs,
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

    @Test("lower-cases as the original does")
    func lowerCases() throws {
        let texts = try #require(SignatureVectors.shared?.lowercase)
        #expect(texts.count == 18)
        for text in texts {
            #expect(Array(DefaultLowerCase.apply(to: text.text).utf8) == Array(text.lower.utf8))
            #expect(SignedRequest.hash(text.text) == text.sha256)
        }
    }

    @Test("the vectors are all there")
    func count() throws {
        let vectors = try #require(SignatureVectors.shared)
        #expect(vectors.vectors.count == 47)
        #expect(SignatureVectors.accepted.count == 45)
        #expect(vectors.variations.count == 5)
        #expect(vectors.rejections.count == 28)
    }
}

extension SignatureVectors.Rejection {
    var configuredSecrets: [MiddlewareSecret] {
        secrets.map { secrets in
            secrets.map { item in
                var secret = MiddlewareSecret(id: item.id, secret: item.secret)
                secret.groups = Set(item.groups)
                secret.isEnabled = item.enabled
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
