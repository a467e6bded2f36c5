import ArgumentParser
import Foundation
import HeliumKit

/// The `helium decode` command: prints the contents of a document, or the reason why it cannot be decoded.
struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Read a document and print it in canonical form, or report where it is invalid.",
        usage: """
            helium decode json FILE
            helium decode KIND FILE [--strict] [--v1]
            """,
        discussion: "`helium decode document --help` lists the values of KIND.",
        subcommands: [DecodeJSONCommand.self, DecodeDocumentCommand.self],
        defaultSubcommand: DecodeDocumentCommand.self
    )
}

/// The `helium decode json FILE` command.
struct DecodeJSONCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json",
        abstract: "Print a JSON document in canonical form: members sorted, no spaces, numbers unchanged.",
        discussion: """
            If the document is not JSON (RFC 8259), line, column and an excerpt are printed on stderr, and the exit \
            code is 1. The excerpt shows the content of the file. A document in which an object has two members with \
            the same name has no canonical form: it is printed as received, with a message on stderr.
            """
    )

    @Argument(help: "The document's file; - for standard input.")
    var file: String

    @Flag(help: "Indent by two spaces.")
    var pretty = false

    @Flag(help: "Reject objects with two members of the same name.")
    var refuseDuplicates = false

    @Option(help: ArgumentHelp("The maximum nesting depth of arrays and objects.", valueName: "levels"))
    var maxDepth = JSONLimits().maximumDepth

    func validate() throws {
        // Deeper values could exhaust the stack of a thread when they are released.
        if !(1...5_000).contains(maxDepth) { throw ValidationError("--max-depth must be 1 to 5000") }
    }

    func run() throws {
        let document = try InputFile(path: file).contents()
        do {
            let value = try JSONValue(
                parsing: document,
                limits: JSONLimits(maximumDepth: maxDepth, duplicateMembers: .refused)
            )
            let text = value.data(formatting: pretty ? [.sortedMembers, .pretty] : .sortedMembers)
            try Console.current.write(json: text + Data("\n".utf8))
        } catch let error as DecodingError {
            guard let place = error.jsonLocation, let reason = error.jsonReason else { throw error }
            let position = "\(InputFile(path: file).name):\(place.line):\(place.column)"
            if !refuseDuplicates, EqualMembers.areOnlyFault(of: document, maximumDepth: maxDepth) {
                let isWhole = document.last == UInt8(ascii: "\n")
                try Console.current.write(json: isWhole ? document : document + Data("\n".utf8))
                return Console.current.note("helium: \(position): \(reason): the document is printed as received")
            }
            Console.current.note("helium: \(position): \(reason) (byte \(place.byteOffset))")
            Console.current.note(OutputText(lines: place.excerpt(of: document)))
            throw ExitCode(1)
        }
    }
}
