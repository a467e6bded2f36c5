import ArgumentParser
import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// The output of the tool: results on standard output, everything else on standard error. All text of others is printed
/// here, in one of three ways.
///
/// - ``OutputText`` is for display. Text of others is escaped in it, whatever the output is.
/// - Documents (``print(document:)``, ``write(json:)`` and others) are escaped on a terminal. Pipes and files get them
///   unchanged. ``BodyOutput`` does the same for a body that arrives in chunks.
/// - ``streamUnescaped(_:)`` is for the tool's own bytes, such as the escape sequences of a chart.
///
/// Known secrets are masked in everything on standard error (``KnownSecrets``).
final class Console: Sendable {
    /// The output of the current command.
    static var current: Console { CommandContext.current.console }

    /// Standard output.
    let output: FileHandle

    /// Standard error.
    let error: FileHandle

    /// The secrets that are masked on standard error.
    let secrets = KnownSecrets()

    private let isQuiet = Guarded(false)

    init(output: FileHandle, error: FileHandle) {
        self.output = output
        self.error = error
    }

    /// Whether standard output is a terminal.
    var isTerminal: Bool { isatty(output.fileDescriptor) == 1 }

    /// Drops all later output of ``note(_:)``. Used for `--quiet`.
    func silence() { isQuiet.withLock { $0 = true } }

    /// Whether notes are dropped.
    var isSilent: Bool { isQuiet.withLock { $0 } }

    // MARK: Standard error

    /// Writes an error or a progress message to standard error, unless `--quiet` is set.
    func note(_ text: OutputText) { if !isSilent { report(text) } }

    /// Writes requested output to standard error, also with `--quiet`: a usage error, or the output of `-v` and
    /// `--timings`.
    func report(_ text: OutputText) { writeError(text.text + "\n") }

    /// Writes the tool's own text to standard error: a message, a prompt or a progress line.
    func writeError(_ text: String) {
        // The tool's name is not a copy of a secret that is equal to it.
        let prefix = text.hasPrefix("helium: ") ? "helium: " : ""
        // If standard error cannot be written, the error cannot be reported.
        try? put(Data((prefix + secrets.masking(String(text.dropFirst(prefix.count)))).utf8), error)
    }

    // MARK: Standard output

    /// The error thrown when the reader of standard output has exited.
    struct BrokenPipe: Error {}

    /// Prints a result.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written. A reader that has exited (`helium request … | head`) is not
    ///   an error.
    func print(_ text: OutputText) throws { try toleratingBrokenPipe { try stream(text) } }

    /// Prints a document as one or more lines, escaped if standard output is a terminal.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written.
    func print(document text: String) throws { try toleratingBrokenPipe { try stream(document: text) } }

    /// Prints one of many results of a long-running command.
    ///
    /// - Throws: ``BrokenPipe`` if the reader has exited, so that the command can end; ``OutputFailure``.
    func stream(_ text: OutputText) throws { try put(Data((text.text + "\n").utf8), output) }

    /// Prints one of many documents of a long-running command, escaped if standard output is a terminal.
    ///
    /// - Throws: ``BrokenPipe``, ``OutputFailure``.
    func stream(document text: String) throws {
        try put(Data(((isTerminal ? PrintableText.lines(text) : text) + "\n").utf8), output)
    }

    /// Writes a document, escaped if standard output is a terminal.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written.
    func write(document: Data) throws {
        let shown = isTerminal ? Data(PrintableText.lines(String(decoding: document, as: UTF8.self)).utf8) : document
        try toleratingBrokenPipe { try put(shown, output) }
    }

    /// Writes a JSON document, escaped if standard output is a terminal.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written.
    func write(json: Data) throws {
        let shown = isTerminal ? Data(PrintableText.json(String(decoding: json, as: UTF8.self)).utf8) : json
        try toleratingBrokenPipe { try put(shown, output) }
    }

    /// Writes bytes unchanged and at once: the tool's own escape sequences, or what ``BodyOutput`` has escaped. Text of
    /// others must not get here.
    ///
    /// - Throws: ``BrokenPipe``, ``OutputFailure``.
    func streamUnescaped(_ data: Data) throws { try put(data, output) }

    /// Writes the tool's own bytes unchanged, such as a chart with its colors.
    ///
    /// - Throws: ``OutputFailure`` if they cannot be written.
    func writeUnescaped(_ data: Data) throws { try toleratingBrokenPipe { try put(data, output) } }

    private func toleratingBrokenPipe(_ write: () throws -> Void) throws {
        do { try write() } catch is BrokenPipe {}
    }

    private func put(_ data: Data, _ file: FileHandle) throws {
        let descriptor = file.fileDescriptor
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = Foundation.write(descriptor, slice.baseAddress, slice.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EPIPE: throw BrokenPipe()
                case EAGAIN:
                    // The descriptor is non-blocking, for example because a shell has changed its terminal.
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&request, 1, -1)
                default: throw OutputFailure(systemError: errno)
                }
            }
        }
    }
}

/// The error thrown when output cannot be written, for example because of a full disk or a closed descriptor.
struct OutputFailure: Error, CustomStringConvertible {
    let systemError: Int32

    var description: String { "the output can't be written: \(String(cString: strerror(systemError)))" }
}

/// The output format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// Text for display.
    case text
    /// One JSON document.
    case json
}

/// JSON for standard output and standard error.
enum Document {
    /// Returns a document on one line, with unsafe characters escaped.
    static func line(_ value: some Encodable) throws -> OutputText {
        OutputText(json: String(decoding: try FoundationJSONEncoder().encode(value), as: UTF8.self))
    }
}
