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
        try Console.write(document: CosmUpdates.shown(encoded.data, as: document))
        var losses = CosmLosses()
        losses.add(encoded.losses)
        losses.tell(document)
    }
}

/// What a format lost: each member and reason once, whatever the number of elements that had it.
struct CosmLosses {
    /// The names come from the server, the elements may be endless.
    private static let maximumCount = 100
    private var names: Set<String> = []
    private var reasons: Set<String> = []

    mutating func add(_ losses: [EncodedDocument.Loss]) {
        for loss in losses where names.count + reasons.count < Self.maximumCount {
            let last = loss.path.split(separator: ".").last.map(String.init)
            // What ends in an index is a whole element.
            let name = last.flatMap { $0.hasSuffix("]") ? nil : $0 }
            if let name, loss.reason.hasSuffix("has no place for it") {
                names.insert(name)
            } else {
                reasons.insert(name.map { "\($0): \(loss.reason)" } ?? loss.reason)
            }
        }
    }

    /// Tells on stderr if there were any.
    func tell(_ format: CosmFormat) {
        let lost = names.isEmpty ? [] : ["has no place for: \(names.sorted().joined(separator: ", "))"]
        for text in lost + reasons.sorted().map({ "output: \($0)" }) {
            Console.note("helium: \(format) \(PrintableText.line(text))")
        }
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
