internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// Reads answers: App.net's as they are, pnut.io's with its members turned into App.net's (§6.3).
struct DialectDecoder: BodyDecoder {
    let dialect: AppNetDialect
    let decoder: any BodyDecoder

    var mediaType: String { decoder.mediaType }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: [String]) throws -> Value? {
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

/// An envelope, whatever it holds.
protocol EnvelopeDocument {
    /// The type of its data; `nil` for what is the same in both dialects.
    static var dataType: (any PnutTranslated.Type)? { get }
}

extension Envelope: EnvelopeDocument {
    static var dataType: (any PnutTranslated.Type)? { Value.self as? any PnutTranslated.Type }
}
