internal import HTTPTypes
internal import HeliumServerKit

/// A request over HTTP or a socket, without its body (``CosmBody``).
struct CosmRequest: Sendable {
    var method: HTTPRequest.Method
    /// The encoded path below the API's root.
    var path: Substring
    var parameters: FormFields
    /// The key, from a header field or a parameter; `nil` without a key.
    var key: String?
    var referer: String?
    /// The numeric IP address of the client.
    var address: String
    /// The `Accept` field.
    var accept: String?
    /// The base URL and the root URL for the response's documents.
    var base: String
    var root: String
    var faults = ActiveFaults()
}

/// A response before it is encoded.
struct CosmResponse: Sendable {
    var status: HTTPResponse.Status = .ok
    var document: CosmDocument?
    /// The path of the created resource below the API's root.
    var location: String?
    /// The effects of a write.
    var effect = WriteEffect()
    /// Whether the call goes on in another transaction, so that other writes can be made in between.
    var isUnfinished = false
    /// Whether a trigger on `frozen` was created or changed.
    var wakesSilenceTimer = false

    static let done = Self()

    static func reading(_ document: CosmDocument) -> Self { Self(document: document) }

    static func created(_ location: String, _ effect: WriteEffect = WriteEffect()) -> Self {
        Self(status: .created, location: location, effect: effect)
    }

    /// Creates the response of a part of a call.
    static func unfinished(_ effect: WriteEffect = WriteEffect()) -> Self { Self(effect: effect, isUnfinished: true) }

    static func wrote(_ effect: WriteEffect) -> Self { Self(effect: effect) }
}

/// An encoded response, for HTTP and for the sockets.
struct CosmReply: Sendable {
    var status: HTTPResponse.Status
    var format: DocumentFormat
    var body: [UInt8] = []
    /// The absolute URL of the created resource.
    var location: String?
    /// The error of a failed response; `nil` for a success.
    var failure: CosmFailure?
}
