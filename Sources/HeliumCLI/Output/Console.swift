import ArgumentParser
import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// The output of the tool: results on standard output, everything else on standard error.
///
/// Text for display is escaped (``PrintableText``). This applies to standard error, and to standard output if it is a
/// terminal. Pipes and files get results unchanged.
final class Console: Sendable {
    /// The output of the current command.
    static var current: Console { CommandContext.current.console }

    /// Standard output.
    let output: FileHandle

    /// Standard error.
    let error: FileHandle

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

    /// Prints a result.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written.
    func print(_ text: String) throws { try write(shown(text)) }

    /// Writes an error or a progress message to standard error, unless `--quiet` is set.
    func note(_ text: String) { if !isSilent { report(text) } }

    /// Writes requested output to standard error, also with `--quiet`: a usage error, or the output of `-v` and
    /// `--timings`.
    func report(_ text: String) { writeError(PrintableText.lines(text) + "\n") }

    /// Writes text to standard error unchanged.
    func writeError(_ text: String) {
        // If standard error cannot be written, the error cannot be reported.
        try? put(Data(text.utf8), error)
    }

    /// The error thrown when the reader of standard output has exited.
    struct BrokenPipe: Error {}

    /// Prints one of many results of a long-running command.
    ///
    /// - Throws: ``BrokenPipe`` if the reader has exited, so that the command can end; ``OutputFailure``.
    func stream(_ text: String) throws { try stream(shown(text)) }

    /// Writes a part of a result unchanged and at once.
    ///
    /// - Throws: ``BrokenPipe``, ``OutputFailure``.
    func stream(_ data: Data) throws { try put(data, output) }

    /// Writes a result unchanged.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written. A reader that has exited (`helium request … | head`) is not
    ///   an error.
    func write(_ data: Data) throws {
        do { try put(data, output) } catch is BrokenPipe {}
    }

    /// Writes a document, escaped if standard output is a terminal.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written.
    func write(document: Data) throws {
        try write(isTerminal ? Data(PrintableText.lines(String(decoding: document, as: UTF8.self)).utf8) : document)
    }

    /// Writes a JSON document, escaped if standard output is a terminal.
    ///
    /// - Throws: ``OutputFailure`` if it cannot be written.
    func write(json: Data) throws {
        try write(isTerminal ? Data(PrintableText.json(String(decoding: json, as: UTF8.self)).utf8) : json)
    }

    private func shown(_ text: String) -> Data {
        Data(((isTerminal ? PrintableText.lines(text) : text) + "\n").utf8)
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
    static func line(_ value: some Encodable) throws -> String {
        PrintableText.json(String(decoding: try FoundationJSONEncoder().encode(value), as: UTF8.self))
    }
}
