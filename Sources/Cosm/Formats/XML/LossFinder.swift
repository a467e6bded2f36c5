internal import Foundation
internal import HeliumJSON

/// Finds the members of a value that its XML document does not hold, by reading the document and comparing.
enum LossFinder {
    /// Returns the document with its losses.
    ///
    /// - Throws: ``CosmDocumentError`` if the document cannot be read as such a value.
    static func document<Value: CosmDocument & Encodable>(_ data: Data, of value: Value) throws -> EncodedDocument {
        let copy = try Value.read(data, as: .xml, dialect: .stated).value
        if copy == value { return EncodedDocument(data: data) }
        let encoder = HeliumJSONEncoder()
        var losses: [EncodedDocument.Loss] = []
        compare(
            try JSONValue(parsing: try encoder.encodeToBytes(value)),
            try JSONValue(parsing: try encoder.encodeToBytes(copy)),
            at: "",
            &losses
        )
        if losses.isEmpty {
            // The difference does not show in JSON.
            let reason = "members of extra with the name of a property are not written"
            losses.append(EncodedDocument.Loss(path: "", reason: reason))
        }
        return EncodedDocument(data: data, losses: losses)
    }

    private static func compare(
        _ value: JSONValue,
        _ copy: JSONValue?,
        at path: String,
        _ losses: inout [EncodedDocument.Loss]
    ) {
        if value == copy { return }
        switch (value, copy) {
        case (.object(let object), .object(let other)?):
            for (name, member) in object {
                compare(member, other[name], at: path.isEmpty ? name : "\(path).\(name)", &losses)
            }
        case (.array(let elements), .array(let others)?) where elements.count == others.count:
            for (index, element) in elements.enumerated() {
                compare(element, others[index], at: "\(path)[\(index)]", &losses)
            }
        case (_, nil):
            losses.append(EncodedDocument.Loss(path: path, reason: "XML can't represent it"))
        default:
            losses.append(EncodedDocument.Loss(path: path, reason: "XML does not keep it unchanged"))
        }
    }
}
