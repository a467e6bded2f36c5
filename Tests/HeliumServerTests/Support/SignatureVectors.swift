import Foundation
import Testing

/// The signature vectors of the protocol page, from `HELIUM_SHARED` or `../shared` beside the package.
struct SignatureVectors: Decodable, Sendable {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        struct Input: Decodable, Sendable {
            let deviceId: String
            let secret: String
            let secretId: String
            let timestamp: String
            let method: String
            let scheme: String?
            let hostHeader: String?
            let requestTarget: String?
            let contentType: String?
            let bodyBase64: String?
            let extraHeaders: [String: String]?
        }

        let id: String
        let input: Input
        let bodyHash: String
        let expectedKey: String
        let originalServerAccepts: Bool
        var testDescription: String { id }
    }

    struct Variation: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let base: String
        let key: String
        let nowMs: Int64
        let extraHeaders: [String: String]?
        var testDescription: String { id }
    }

    struct Rejection: Decodable, Sendable, CustomTestStringConvertible {
        struct Request: Decodable, Sendable {
            let method: String
            let scheme: String
            let hostHeader: String
            let requestTarget: String
            let contentType: String?
            let bodyBase64: String?
            let key: String?
            let extraHeaders: [String: String]?
        }

        struct Secret: Decodable, Sendable {
            let id: String
            let secret: String
            let groups: [String]
            let enabled: Bool
        }

        struct Device: Decodable, Sendable {
            let id: String
            let status: String
        }

        let id: String
        let request: Request
        let nowMs: Int64
        let status: Int
        let code: String
        let secrets: [Secret]?
        let devices: [Device]?
        var testDescription: String { id }
    }

    struct LowerCase: Decodable, Sendable {
        let text: String
        let lower: String
        let sha256: String
    }

    let vectors: [Vector]
    let variations: [Variation]
    let rejections: [Rejection]
    let lowercase: [LowerCase]

    /// The file's content; nil where the shared folder is absent.
    static let shared: SignatureVectors? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder =
            ProcessInfo.processInfo.environment["HELIUM_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? root.appendingPathComponent("../shared")
        let file = folder.appendingPathComponent("data/middleware/signature-vectors.json")
        return (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(SignatureVectors.self, from: $0) }
    }()

    static var accepted: [Vector] { shared?.vectors.filter(\.originalServerAccepts) ?? [] }
}
