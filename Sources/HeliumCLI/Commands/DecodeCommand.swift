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
            code is 1. The excerpt shows the content of the file.
            """
    )

    @Argument(help: "The document's file; - for standard input.")
    var file: String

    @Flag(help: "Indent by two spaces.")
    var pretty = false

    @Flag(help: "Reject objects with two members of the same name. Otherwise the first member is used.")
    var refuseDuplicates = false

    @Option(help: ArgumentHelp("The maximum nesting depth of arrays and objects.", valueName: "levels"))
    var maxDepth = JSONLimits().maximumDepth

    func validate() throws {
        // Deeper values could exhaust the stack of a thread when they are released.
        if !(1...5_000).contains(maxDepth) { throw ValidationError("--max-depth must be 1 to 5000") }
    }

    func run() throws {
        let document = try contents()
        let limits = JSONLimits(maximumDepth: maxDepth, duplicateMembers: refuseDuplicates ? .refused : .firstWins)
        do {
            let value = try JSONValue(parsing: document, limits: limits)
            let text = value.data(formatting: pretty ? [.sortedMembers, .pretty] : .sortedMembers)
            try Console.current.write(json: text + Data("\n".utf8))
        } catch let error as DecodingError {
            guard let place = error.jsonLocation, let reason = error.jsonReason else { throw error }
            let name = InputFile(path: file).name
            Console.current.note("helium: \(name):\(place.line):\(place.column): \(reason) (byte \(place.byteOffset))")
            Console.current.note(place.excerpt(of: document))
            throw ExitCode(1)
        }
    }

    private func contents() throws -> Data {
        do { return try InputFile(path: file).contents() } catch let failure as CommandFailure {
            throw ValidationError("\(failure)")
        }
    }
}
