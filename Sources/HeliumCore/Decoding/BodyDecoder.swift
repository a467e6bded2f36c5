public import Foundation

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

/// JSON by Foundation's `JSONDecoder`; dates as RFC 3339 with or without a fraction.
public struct FoundationJSONDecoder: BodyDecoder {
    // `decode` only reads the decoder's options, which nobody changes after `init`.
    private let decoder: JSONDecoder

    /// `application/json`.
    public let mediaType = "application/json"

    /// The decoder described above; `configure` may change its options before the first use.
    public init(configure: (JSONDecoder) -> Void = { _ in }) {
        decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = RFC3339.date(from: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no RFC 3339 date")
            }
            return date
        }
        configure(decoder)
    }

    /// Decodes the value at `path`.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value? {
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

private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
