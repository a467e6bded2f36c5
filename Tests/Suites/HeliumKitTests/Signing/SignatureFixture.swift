import Foundation
import TestSupport
import Testing

/// The known answers of `Fixtures/middleware/signature-vectors.json`.
struct SignatureFixture: Decodable {
    let signatures: [Signature]
    let accepted: [Accepted]
    let rejected: [Rejected]
    let lowercased: [Lowercased]

    struct Signature: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let deviceID: String
        let secret: String
        let secretID: String
        let timestamp: Int64
        let method: String
        let url: String
        let scheme: String?
        let host: String?
        let target: String?
        let contentType: String?
        let bodyBase64: String?
        let bodyHash: String
        let key: String

        var body: Data? { bodyBase64.flatMap { Data(base64Encoded: $0) } }
        var testDescription: String { name }
    }

    struct Accepted: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let of: String
        let key: String

        var testDescription: String { name }
    }

    struct Rejected: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let scheme: String
        let host: String
        let target: String
        let contentType: String?
        let bodyBase64: String?
        let key: String?
        let serverMilliseconds: Int64
        let code: String

        var body: Data? { bodyBase64.flatMap { Data(base64Encoded: $0) } }
        var testDescription: String { name }
    }

    struct Lowercased: Decodable, Sendable {
        let text: String
        let lowercase: String
        let sha256: String
    }

    static let shared: SignatureFixture = {
        do {
            let url = SharedDocuments.package.appendingPathComponent("Fixtures/middleware/signature-vectors.json")
            return try JSONDecoder().decode(SignatureFixture.self, from: Data(contentsOf: url))
        } catch {
            fatalError("the fixture cannot be read: \(error)")
        }
    }()

    /// The original collection, where the machine has it: `HELIUM_SHARED`, else `../shared`.
    static let originalURL: URL = {
        let root =
            ProcessInfo.processInfo.environment["HELIUM_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? SharedDocuments.package.deletingLastPathComponent().appendingPathComponent("shared")
        return root.appendingPathComponent("data/middleware/signature-vectors.json")
    }()
}
