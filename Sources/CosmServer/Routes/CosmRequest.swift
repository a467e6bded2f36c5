internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// A request as the routes see it, whether it came by HTTP or by a socket.
struct CosmRequest: Sendable {
    /// What a body is: bytes of a format still to be read, or JSON that came inside of a frame.
    enum Body: Sendable {
        case bytes([UInt8])
        case json(JSONValue)
    }

    var method: HTTPRequest.Method
    /// The path below the API's root, as encoded.
    var path: Substring
    var parameters: FormFields
    var body: Body
    /// The key, wherever it was.
    var key: String?
    var referer: String?
    /// The client's address in numbers.
    var address: String
    /// The `Accept` field.
    var accept: String?
    /// The URLs of the answer's documents.
    var base: String
    var root: String
    var faults = ActiveFaults()
}

/// An answer that has not become bytes yet.
struct CosmAnswer: Sendable {
    var status: HTTPResponse.Status = .ok
    var document: CosmDocument?
    /// The path below the API's root of what was created.
    var location: String?
    /// What a write changed.
    var effect = WriteEffect()
    /// Whether a trigger that waits for silence was made or changed.
    var wakesSilenceTimer = false

    static let done = Self()

    static func reading(_ document: CosmDocument) -> Self { Self(document: document) }

    static func created(_ location: String, _ effect: WriteEffect = WriteEffect()) -> Self {
        Self(status: .created, location: location, effect: effect)
    }

    static func wrote(_ effect: WriteEffect) -> Self { Self(effect: effect) }
}

/// An answer as bytes, for either front end.
struct CosmReply: Sendable {
    var status: HTTPResponse.Status
    var format: DocumentFormat
    var body: [UInt8] = []
    /// The absolute URL of what was created.
    var location: String?
    /// What a refusal says; nil for successes.
    var failure: CosmFailure?
}
