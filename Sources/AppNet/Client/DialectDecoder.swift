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
        if let value = document["data"] {
            document["data"] = try PnutMembers.appNetForm(of: value, kind: envelope.dataKind)
        }
        return try decoder.decode(type, from: HeliumJSONEncoder().encode(document), at: [])
    }
}

/// An envelope, whatever it holds.
protocol EnvelopeDocument {
    /// Which objects it holds, alone or in a list.
    static var dataKind: ObjectKind { get }
}

extension Envelope: EnvelopeDocument {
    static var dataKind: ObjectKind {
        (Value.self as? any AppNetObject.Type)?.objectKind ?? .none
    }
}
