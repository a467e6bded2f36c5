public import HeliumEssentials

/// Makes a body's bytes from a value.
public protocol BodyEncoder: Sendable {
    /// The media type of what it makes, for `Content-Type`.
    var contentType: String { get }

    /// The bytes for `value`.
    func encode(_ value: some Encodable) throws -> Data
}

/// JSON by Foundation's `JSONEncoder`, as `HeliumJSONEncoder.bodies` writes it: sorted members, slashes not escaped, dates as
/// RFC 3339 in UTC with milliseconds.
public struct FoundationJSONEncoder: BodyEncoder {
    // `encode` only reads the encoder's options, which nobody changes after `init`.
    private let encoder: JSONEncoder

    /// `application/json`.
    public let contentType = "application/json"

    /// The encoder described above; `configure` may change its options before the first use.
    public init(configure: (JSONEncoder) -> Void = { _ in }) {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            guard date.timeIntervalSince1970.isFinite else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "no point in time"
                )
                // Not the date itself: on Linux the description of one that is no point in time traps.
                throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
            }
            var container = encoder.singleValueContainer()
            try container.encode(RFC3339.string(from: date))
        }
        configure(encoder)
    }

    /// The bytes for `value`.
    public func encode(_ value: some Encodable) throws -> Data { try encoder.encode(value) }
}

/// The SDK's own JSON encoder.
extension HeliumJSONEncoder: BodyEncoder {
    /// `application/json`.
    public var contentType: String { "application/json" }

    /// What clients use unless told otherwise: members sorted, slashes not escaped. Equal values make equal bodies, which
    /// signatures, caches and tests rely on.
    public static let bodies = {
        var encoder = HeliumJSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}
