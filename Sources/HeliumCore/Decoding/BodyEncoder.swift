public import HeliumEssentials

/// An encoder of request bodies.
public protocol BodyEncoder: Sendable {
    /// The media type of the encoded body, for `Content-Type`.
    var contentType: String { get }

    /// Returns the encoded bytes of `value`.
    func encode(_ value: some Encodable) throws -> Data
}

/// An encoder that uses Foundation's `JSONEncoder` with the same output as `HeliumJSONEncoder.bodies`: sorted members,
/// slashes not escaped, dates as RFC 3339 in UTC with milliseconds.
public struct FoundationJSONEncoder: BodyEncoder {
    // `encode` only reads the encoder's options, which do not change after `init`.
    private let encoder: JSONEncoder

    /// `application/json`.
    public let contentType = "application/json"

    /// Creates an encoder with these options; `configure` may change them before the first use.
    public init(configure: (JSONEncoder) -> Void = { _ in }) {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard date.timeIntervalSince1970.isFinite else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "the date is not finite"
                )
                // Not the date itself, because on Linux the description of a date that is not finite traps.
                throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
            }
            var container = encoder.singleValueContainer()
            try container.encode(RFC3339.string(from: date))
        }
        configure(encoder)
    }

    /// Returns the encoded bytes of `value`.
    public func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }
}

/// The SDK's own JSON encoder.
extension HeliumJSONEncoder: BodyEncoder {
    /// `application/json`.
    public var contentType: String { "application/json" }

    /// The default encoder of clients: members sorted, slashes not escaped. Equal values have equal bodies, which
    /// signatures, caches and tests rely on.
    public static let bodies = {
        var encoder = HeliumJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
