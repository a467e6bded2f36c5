import ArgumentParser
import Cosm
import Foundation
import HeliumKit

/// `helium decode KIND FILE`: a document of one of the systems.
struct DecodeDocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Print what a system's document says as canonical JSON: members sorted, no spaces.",
        discussion: """
            The format is the file name's extension: json, csv or xml. A document that can't be read ends with 1; path, \
            line and reason are told on stderr.

            Kinds: \(CosmDocumentKind.all.map(\.name).joined(separator: " "))
            """
    )

    @Argument(help: ArgumentHelp("The document's kind.", valueName: "kind"))
    var kindName: String

    @Argument(help: "The document's file.")
    var file: String

    @Flag(help: "Refuse a document with members that the value has no property for, and list them.")
    var strict = false

    @Flag(name: .customLong("v1"), help: "Read the document by version 1, whatever it says itself.")
    var isVersion1 = false

    func validate() throws {
        if CosmDocumentKind(named: kindName) == nil { throw ValidationError("unknown kind '\(kindName)'") }
    }

    func run() throws {
        guard let kind = CosmDocumentKind(named: kindName) else { return }
        guard let format = CosmFormat(fileExtension: URL(fileURLWithPath: file).pathExtension) else {
            throw fail(["\(file): the name ends with none of .json, .csv and .xml"])
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
            throw fail(["\(file): the file can't be read"])
        }
        let document: CosmDocumentKind.DecodedDocument
        do {
            document = try kind.read(data, as: format, dialect: isVersion1 ? .version1 : .stated)
        } catch let error as CosmDocumentError {
            let place = [error.line, error.column].compactMap(\.self).map { ":\($0)" }.joined()
            throw fail(["\(file)\(place): \(error.path.isEmpty ? "" : "\(error.path): ")\(error.reason)"])
        }
        if strict, !document.unknownMembers.isEmpty {
            throw fail(document.unknownMembers.map { "\(file): unknown member \($0)" })
        }
        Console.write(document.value.data(formatting: .sortedMembers) + Data("\n".utf8), to: .standardOutput)
    }

    private func fail(_ lines: [String]) -> ExitCode {
        for line in lines { Console.note("helium: \(line)") }
        return ExitCode(1)
    }
}
