import ArgumentParser
import Foundation

/// The text of a message on the command line: an argument, or `-` for standard input.
struct MessageText: ExpressibleByArgument {
    /// The maximum length in bytes. It exceeds the limits of all services.
    private static let maximumLength = 1 << 20

    private let argument: String

    init(argument: String) { self.argument = argument }

    /// Whether the argument is an empty text.
    var isEmpty: Bool { argument.isEmpty }

    /// Returns the text. Standard input is read to its end, and one line end after the text is dropped.
    ///
    /// - Throws: `CommandFailure` if standard input is empty, too long, not valid UTF-8, or cannot be read. A part of the
    ///   text is never returned.
    func read() async throws -> String {
        guard argument == "-" else { return argument }
        let bytes = try await StandardInput().readToEnd(limit: Self.maximumLength)
        // Decoding with replacement characters would change the text.
        guard var text = String(validating: bytes, as: UTF8.self)?.unicodeScalars else {
            throw CommandFailure("standard input is not valid UTF-8")
        }
        // The shell, or the last line of a file, adds LF or CR LF.
        if text.last == "\n" {
            text.removeLast()
            if text.last == "\r" { text.removeLast() }
        }
        guard !text.isEmpty else { throw CommandFailure("standard input is empty: it should have the text") }
        return String(text)
    }
}
