public import HeliumEssentials

/// A decoder of response bodies.
public protocol BodyDecoder: Sendable {
    /// The media type that it decodes, for `Accept`.
    var mediaType: String { get }

    /// Decodes the value at `path` in the document. An empty path means the document itself.
    ///
    /// - Returns: The value, or `nil` if the document has no value at `path`.
    /// - Throws: `DecodingError` whose coding path starts at the document.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value?
}

/// A decoder that uses Foundation's `JSONDecoder`, for code that depends on its exact behavior. `HeliumJSONDecoder` is
/// the default. A byte order mark before the document is ignored, which RFC 8259 §8.1 allows.
public struct FoundationJSONDecoder: BodyDecoder {
    // `decode` only reads the decoder's options, which do not change after `init`.
    private let decoder: JSONDecoder

    /// `application/json`.
    public let mediaType = "application/json"

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - dates: The date formats; the first rule that applies is used. Default: RFC 3339 with or without a fraction.
    ///   - configure: Changes the decoder's options before the first use.
    public init(dates: [DateRule] = [.rfc3339], configure: (JSONDecoder) -> Void = { _ in }) {
        decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rules(dates)
        configure(decoder)
    }

    /// Decodes the value at `path`.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value? {
        let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        if path.isEmpty { return try decoder.decode(type, from: body) }
        return try decoder.decode(Located<Value>.self, from: body, configuration: path[...]).value
    }
}

/// A value at a path in a document.
private struct Located<Value: Decodable>: DecodableWithConfiguration {
    let value: Value?

    init(from decoder: any Decoder, configuration path: ArraySlice<String>) throws {
        var container = try decoder.container(keyedBy: MemberName.self)
        for name in path.dropLast() {
            let key = MemberName(name)
            guard container.contains(key), try !container.decodeNil(forKey: key) else {
                value = nil
                return
            }
            container = try container.nestedContainer(keyedBy: MemberName.self, forKey: key)
        }
        let key = MemberName(path.last ?? "")
        value = container.contains(key) ? try container.decode(Value.self, forKey: key) : nil
    }
}

/// The SDK's own JSON decoder, which clients use by default.
extension HeliumJSONDecoder: BodyDecoder {
    /// `application/json`.
    public var mediaType: String { "application/json" }
}
