import ArgumentParser
import Cosm
import Foundation

/// The output format of `helium cosm`.
enum CosmOutputFormat: String, ExpressibleByArgument, CaseIterable {
    case json, csv, xml
    /// Columns for display.
    case table

    /// The format of documents; `nil` for a table.
    var document: CosmFormat? { CosmFormat(rawValue: rawValue) }

    /// Writes a value to standard output. Reports on standard error the members that the format cannot contain.
    func show(_ value: some CosmDocument, table: () -> OutputText) throws {
        guard let document else { return try Console.current.print(table()) }
        let encoded = try value.encoded(as: document)
        try Console.current.write(document: CosmUpdates.shown(encoded.data, as: document))
        var losses = CosmLosses()
        losses.add(encoded.losses)
        losses.report(document)
    }
}

/// The data that a format cannot contain. Each member and reason is listed once, even if many elements have it.
struct CosmLosses {
    /// The maximum number of entries. The names come from the server, and the number of elements is not limited.
    private static let maximumCount = 100
    private var names: Set<String> = []
    private var reasons: Set<String> = []

    mutating func add(_ losses: [EncodedDocument.Loss]) {
        for loss in losses where names.count + reasons.count < Self.maximumCount {
            let last = loss.path.split(separator: ".").last.map(String.init)
            // A path that ends with an index denotes a whole element.
            let name = last.flatMap { $0.hasSuffix("]") ? nil : $0 }
            if let name, loss.reason.hasSuffix("can't represent it") {
                names.insert(name)
            } else {
                reasons.insert(name.map { "\($0): \(loss.reason)" } ?? loss.reason)
            }
        }
    }

    /// Reports the losses on standard error, if there are any.
    func report(_ format: CosmFormat) {
        let lost = names.isEmpty ? [] : ["can't represent: \(names.sorted().joined(separator: ", "))"]
        for text in lost + reasons.sorted().map({ "output: \($0)" }) {
            Console.current.note("helium: \(format) \(text)")
        }
    }
}

extension Feed {
    /// Returns the feed for a format. EEML has its own version, and the URL of its own document (Docs/Protocols/Cosm.md
    /// §13).
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

/// The option for the output format.
struct CosmOutputOptions: ParsableArguments {
    @Option(help: "json, csv or xml: the document; table: columns for people.")
    var format = CosmOutputFormat.table

    /// Rejects CSV for objects that CSV cannot contain (Docs/Protocols/Cosm.md §12).
    func refuseCSV() throws {
        if format == .csv { throw ValidationError("CSV supports only feeds, datastreams and datapoints") }
    }
}
