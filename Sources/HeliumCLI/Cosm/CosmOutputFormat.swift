import ArgumentParser
import Cosm
import Foundation

/// How `helium cosm` writes what it got.
enum CosmOutputFormat: String, ExpressibleByArgument, CaseIterable {
    case json, csv, xml
    /// Columns for people.
    case table

    /// The format of documents; `nil` for a table.
    var document: CosmFormat? { CosmFormat(rawValue: rawValue) }

    /// Writes a value to stdout; tells on stderr what the format has no place for.
    func show(_ value: some CosmDocument, table: () -> String) throws {
        guard let document else { return try Console.print(table()) }
        let encoded = try value.encoded(as: document)
        try Console.write(encoded.data.last == UInt8(ascii: "\n") ? encoded.data : encoded.data + Data("\n".utf8))
        Self.tell(encoded.losses, document)
    }

    /// Names each member once, whatever the number of elements that had it.
    private static func tell(_ losses: [EncodedDocument.Loss], _ format: CosmFormat) {
        let names = Set(losses.map { $0.path.split(separator: ".").last.map(String.init) ?? $0.reason })
        if names.isEmpty { return }
        Console.note(
            "helium: \(format) has no place for: \(TextTable.printable(names.sorted().joined(separator: ", ")))"
        )
    }
}

extension Feed {
    /// The feed as a document of a format has it: EEML has a version of its own, and the URL of its own document (§13).
    func adapted(to format: CosmOutputFormat) -> Feed {
        guard format == .xml else { return self }
        var feed = self
        feed.version = nil
        if let url = feedURL, url.hasSuffix(CosmFormat.json.suffix) {
            feed.feedURL = url.dropLast(CosmFormat.json.suffix.count) + CosmFormat.xml.suffix
        }
        return feed
    }
}

/// How to write it.
struct CosmOutputOptions: ParsableArguments {
    @Option(help: "json, csv or xml: the document; table: columns for people.")
    var format = CosmOutputFormat.table

    /// For what CSV holds no documents of (§12).
    func refuseCSV() throws {
        if format == .csv { throw ValidationError("CSV holds feeds, datastreams and datapoints only") }
    }
}
