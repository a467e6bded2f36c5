import AppNet
import ArgumentParser
import Foundation
import HeliumKit

/// The `helium decode KIND FILE` command for the documents of Cosm and App.net.
struct DecodeDocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Print what a system's document says as canonical JSON: members sorted, no spaces.",
        discussion: """
            The format of Cosm's documents is the file name's extension: json, csv or xml; JSON from standard input and \
            pipes; App.net's are JSON. A document that can't be read ends with 1; path, line and reason are told on \
            stderr. A datastream or point in EEML says also whose it is; that is not printed, and no reason for --strict.

            Kinds: \(DocumentKind.names.joined(separator: " "))
            """
    )

    @Argument(help: ArgumentHelp("The document's kind.", valueName: "kind"))
    var kindName: String

    @Argument(help: "The document's file; - for standard input.")
    var file: String

    @Flag(help: "Refuse a document with members that the value has no property for, and list them.")
    var strict = false

    @Flag(name: .customLong("v1"), help: "Read the document by version 1, whatever it says itself (Cosm).")
    var isVersion1 = false

    @Flag(name: .customLong("list"), help: "The document holds a list of the kind (App.net).")
    var isList = false

    @Flag(name: .customLong("envelope"), help: "The document is an answer: {\"meta\": …, \"data\": …} (App.net).")
    var isEnvelope = false

    @Flag(
        name: .customLong("exchange"),
        help: "The document is a recorded call: {\"request\": …, \"response\": …} (App.net)."
    )
    var isExchange = false

    func validate() throws {
        switch DocumentKind(named: kindName) {
        case nil: throw ValidationError("unknown kind '\(kindName)'")
        case .cosm:
            if !shape.isEmpty { throw ValidationError("--list, --envelope and --exchange are for App.net's kinds") }
        case .appNet:
            if isVersion1 { throw ValidationError("--v1 is for Cosm's kinds") }
            if isEnvelope, isExchange { throw ValidationError("a document is an answer or a recorded call") }
        }
    }

    private var shape: AppNetDocumentKind.Shape {
        var shape: AppNetDocumentKind.Shape = []
        if isList { shape.insert(.list) }
        if isEnvelope { shape.insert(.envelope) }
        if isExchange { shape.insert(.exchange) }
        return shape
    }

    func run() throws {
        guard let kind = DocumentKind(named: kindName) else { return }
        let input = InputFile(path: file)
        let data: Data
        do { data = try input.contents() } catch let failure as CommandFailure {
            throw fail(["\(failure)"])
        }
        let document: DocumentKind.Contents
        do {
            document = try kind.read(data, named: file, isVersion1: isVersion1, shape: shape)
        } catch let refusal as DocumentKind.Refusal {
            throw fail([refusal.description(of: input.name)])
        }
        if strict, !document.unknownMembers.isEmpty {
            throw fail(document.unknownMembers.map { "\(input.name): unknown member \($0)" })
        }
        try Console.write(json: document.value.data(formatting: .sortedMembers) + Data("\n".utf8))
    }

    private func fail(_ lines: [String]) -> ExitCode {
        for line in lines { Console.note("helium: \(line)") }
        return ExitCode(1)
    }
}
