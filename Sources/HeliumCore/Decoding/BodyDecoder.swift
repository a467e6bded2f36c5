public import HeliumEssentials

/// Makes a value from a body's bytes.
public protocol BodyDecoder: Sendable {
    /// The media type it reads, for `Accept`.
    var mediaType: String { get }

    /// Decodes the value that stands at `path` in the document; an empty path means the document itself.
    ///
    /// - Returns: The value, or `nil` if the document has nothing at `path`.
    /// - Throws: `DecodingError` whose coding path starts at the document.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value?
}

/// JSON by Foundation's `JSONDecoder`, for those who need just its ways; `HeliumJSONDecoder` is the default. A byte order mark before the document, which RFC 8259 section 8.1 lets parsers
/// ignore, is ignored.
public struct FoundationJSONDecoder: BodyDecoder {
    // `decode` only reads the decoder's options, which nobody changes after `init`.
    private let decoder: JSONDecoder

    /// `application/json`.
    public let mediaType = "application/json"

    /// A decoder.
    ///
    /// - Parameters:
    ///   - dates: How dates are written: the first rule that applies. Default: RFC 3339 with or without a fraction.
    ///   - configure: May change the decoder's options before the first use.
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

/// A value some members down in a document.
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

/// The SDK's own JSON decoder, which clients use unless told otherwise.
extension HeliumJSONDecoder: BodyDecoder {
    /// `application/json`.
    public var mediaType: String { "application/json" }
}
