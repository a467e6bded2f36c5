internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// A decoder of responses. It converts the members of pnut.io to those of App.net (Docs/Protocols/AppNet.md §6.3).
struct DialectDecoder: BodyDecoder {
    let dialect: AppNetDialect
    let decoder: any BodyDecoder

    var mediaType: String { decoder.mediaType }

    /// Decodes a response. Texts that are not valid JSON or Unicode are repaired, because the service passes on what
    /// other clients sent, such as a text that was cut in the middle of an emoji. For the same reason, an item of a page
    /// that is nested too deep is left out like any other that cannot be decoded.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: [String]) throws -> Value? {
        let items = path.isEmpty ? ((type as? any EnvelopeDocument.Type)?.dataType as? any ItemList.Type) : nil
        let depth = (decoder as? HeliumJSONDecoder)?.limits.maximumDepth ?? JSONLimits().maximumDepth
        return try data.repairedIfNeeded(
            { items?.withoutDeepItems($0, at: [["data"]], maximumDepth: depth) },
            { try decodeValid(type, from: $0, at: path) }
        )
    }

    private func decodeValid<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        at path: [String]
    ) throws -> Value? {
        guard dialect == .pnut, let envelope = type as? any EnvelopeDocument.Type, path.isEmpty else {
            return try decoder.decode(type, from: data, at: path)
        }
        var document = try JSONValue(parsing: data)
        if let value = document["data"], let data = envelope.dataType {
            document["data"] = try PnutMembers.appNetForm(of: value, as: data)
        }
        return try decoder.decode(type, from: HeliumJSONEncoder().encode(document), at: [])
    }
}

extension Data {
    /// Decodes a document of the service, after repairs (``LenientText``) if it is not valid.
    ///
    /// - Parameter withoutDeepItems: Returns a document without the items that are nested too deep; `nil` if it has none.
    func repairedIfNeeded<Value>(
        _ withoutDeepItems: (Data) -> Data? = { _ in nil },
        _ decode: (Data) throws -> Value
    ) throws -> Value {
        do {
            return try decode(self)
        } catch let error as DecodingError {
            guard case .dataCorrupted = error else { throw error }
            let repaired = LenientText.repaired(self)
            guard let document = withoutDeepItems(repaired ?? self) ?? repaired else { throw error }
            return try decode(document)
        }
    }
}

/// An envelope with data of any type.
protocol EnvelopeDocument {
    /// The type of the data; `nil` if it is the same in both dialects.
    static var dataType: (any PnutTranslated.Type)? { get }
}

extension Envelope: EnvelopeDocument {
    static var dataType: (any PnutTranslated.Type)? { Value.self as? any PnutTranslated.Type }
}
