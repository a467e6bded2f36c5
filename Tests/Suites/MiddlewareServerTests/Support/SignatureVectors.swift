import Foundation
import TestSupport
import Testing

/// The keys of the original server in `Fixtures/middleware/signature-vectors.json`: accepted and rejected ones
/// (Docs/Protocols/Middleware.md).
struct SignatureVectors: Decodable, Sendable {
    struct Signature: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let deviceID: String
        let timestamp: Int64
        let method: String
        let scheme: String?
        let host: String?
        let target: String?
        let contentType: String?
        let bodyBase64: String?
        let key: String
        let isAcceptedByServer: Bool

        var testDescription: String { name }
    }

    /// Another key that is accepted for the request of a signature.
    struct Variation: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        /// The name of the signature.
        let of: String
        let key: String
        let serverMilliseconds: Int64

        var testDescription: String { name }
    }

    struct Rejection: Decodable, Sendable, CustomTestStringConvertible {
        struct Secret: Decodable, Sendable {
            let id: String
            let secret: String
            let groups: [String]
            let isEnabled: Bool
        }

        struct Device: Decodable, Sendable {
            let id: String
            let status: String
        }

        let name: String
        let method: String
        let scheme: String
        let host: String
        let target: String
        let contentType: String?
        let bodyBase64: String?
        let key: String?
        let fields: [String: String]?
        let serverMilliseconds: Int64
        let status: Int
        let code: String
        let secrets: [Secret]?
        let devices: [Device]?

        var testDescription: String { name }
    }

    struct LowerCase: Decodable, Sendable {
        let text: String
        let lowercase: String
        let sha256: String
    }

    let signatures: [Signature]
    let accepted: [Variation]
    let rejected: [Rejection]
    let lowercased: [LowerCase]

    static let fixture: SignatureVectors = {
        do {
            let file = SharedDocuments.package.appendingPathComponent("Fixtures/middleware/signature-vectors.json")
            return try JSONDecoder().decode(SignatureVectors.self, from: Data(contentsOf: file))
        } catch {
            fatalError("the fixture cannot be read: \(error)")
        }
    }()

    /// The signatures that the original server accepts.
    static var valid: [Signature] { fixture.signatures.filter(\.isAcceptedByServer) }
}
