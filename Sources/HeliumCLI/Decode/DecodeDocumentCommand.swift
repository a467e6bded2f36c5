import AppNet
import ArgumentParser
import Foundation
import HeliumKit

/// The `helium decode KIND FILE` command for the documents of Cosm and App.net.
struct DecodeDocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Print the content of a system's document as canonical JSON: members sorted, no spaces.",
        discussion: """
            The extension of the file name gives the format of Cosm's documents: json, csv or xml. Standard input and \
            pipes have JSON, and so do App.net's documents. If a document can't be decoded, path, line and reason are \
            printed on stderr and the exit code is 1. A datastream or point in EEML also names its feed, which is not \
            printed and is valid with --strict. If an object of JSON has two members with the same name, the first one \
            is used, with a message on stderr.

            Kinds: \(DocumentKind.names.joined(separator: " "))
            """
    )

    @Argument(help: ArgumentHelp("The document's kind.", valueName: "kind"))
    var kindName: String

    @Argument(help: "The document's file; - for standard input.")
    var file: String

    @Flag(help: "Reject a document with unknown members, and list them; and one with two members of the same name.")
    var strict = false

    @Flag(name: .customLong("v1"), help: "Read the document as version 1, regardless of its own version (Cosm).")
    var isVersion1 = false

    @Flag(name: .customLong("list"), help: "The document is a list of the kind (App.net).")
    var isList = false

    @Flag(name: .customLong("envelope"), help: "The document is a response: {\"meta\": …, \"data\": …} (App.net).")
    var isEnvelope = false

    @Flag(
        name: .customLong("exchange"),
        help: "The document is a recorded call: {\"request\": …, \"response\": …} (App.net)."
    )
    var isExchange = false

    func validate() throws {
        switch DocumentKind(named: kindName) {
        case nil: throw ValidationError("unknown kind \"\(kindName)\": see helium decode document --help")
        case .cosm:
            if !shape.isEmpty { throw ValidationError("--list, --envelope and --exchange are for App.net's kinds") }
        case .appNet:
            if isVersion1 { throw ValidationError("--v1 is for Cosm's kinds") }
            if isEnvelope, isExchange { throw ValidationError("--envelope and --exchange exclude each other") }
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
        if let fault = EqualMembers.fault(of: data), let place = fault.jsonLocation, let reason = fault.jsonReason {
            let text = "\(input.name):\(place.line):\(place.column): \(reason)"
            if strict { throw fail([text]) }
            Console.current.note("helium: \(text): the first one is used")
        }
        if strict, !document.unknownMembers.isEmpty {
            throw fail(document.unknownMembers.map { "\(input.name): unknown member \($0)" })
        }
        try Console.current.write(json: document.value.data(formatting: .sortedMembers) + Data("\n".utf8))
    }

    private func fail(_ lines: [String]) -> ExitCode {
        for line in lines { Console.current.note("helium: \(line)") }
        return ExitCode(1)
    }
}
