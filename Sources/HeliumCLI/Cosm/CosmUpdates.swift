import Cosm
import Foundation
import HeliumKit

/// Live updates as text, in each format.
enum CosmUpdates {
    static func feed(_ format: CosmOutputFormat) -> @Sendable (LiveUpdate<Feed>) throws -> String {
        { update in
            let changed = (update.value.datastreams ?? []).filter { update.changedDatastreams.contains($0.id ?? "") }
            switch format {
            case .table: return lines(changed, isTitleNeeded: true)
            case .csv where changed.isEmpty: return ""
            case .csv: return try text(Feed(id: nil, datastreams: changed), as: .csv)
            case .xml: return try text(update.value.adapted(to: format), as: .xml)
            case .json: return try document(update)
            }
        }
    }

    static func datastream(_ format: CosmOutputFormat) -> @Sendable (LiveUpdate<Datastream>) throws -> String {
        { update in
            switch format {
            case .table: return lines([update.value], isTitleNeeded: false)
            case .csv:
                return try text(
                    Datastream(id: nil, currentValue: update.value.currentValue, at: update.value.at),
                    as: .csv
                )
            case .xml: return try text(update.value, as: .xml)
            case .json: return try document(update)
            }
        }
    }

    /// Returns lines such as `2013-02-01T09:00:00.000000Z  temp  20.5`. Datastreams without a value are left out.
    private static func lines(_ streams: [Datastream], isTitleNeeded: Bool) -> String {
        streams.compactMap { stream in
            guard let value = stream.currentValue else { return nil }
            let cells = [stream.at?.description ?? "-", isTitleNeeded ? stream.id : nil, value.text]
            return cells.compactMap { $0.map(TextTable.printable) }.joined(separator: "  ")
        }
        .joined(separator: "\n")
    }

    private static func text(_ value: some CosmDocument, as format: CosmFormat) throws -> String {
        String(decoding: shown(try value.encoded(as: format).data, as: format).dropLast(), as: UTF8.self)
    }

    /// Returns a document that ends with a line feed. Control characters in JSON and XML are escaped. CSV has no
    /// escapes for them, so pipes and files get it unchanged.
    static func shown(_ document: Data, as format: CosmFormat) -> Data {
        var text = String(decoding: document, as: UTF8.self)
        if format == .json { text = PrintableText.json(text) }
        if format == .xml { text = PrintableText.xml(text) }
        return Data((text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n").utf8)
    }

    private static func document<Value: CosmDocument>(_ update: LiveUpdate<Value>) throws -> String {
        let value = try JSONValue(parsing: update.value.encoded(as: .json).data)
        let document: JSONObject = [
            "origin": .string(update.origin.rawValue), "followsGap": .bool(update.followsGap), "body": value,
        ]
        return PrintableText.json(JSONValue.object(document).text(formatting: []))
    }
}
