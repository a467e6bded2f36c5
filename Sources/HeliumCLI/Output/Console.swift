import ArgumentParser
import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// Where the tool's words go: results to stdout, everything else to stderr.
///
/// Text for people is escaped (``PrintableText``): all of stderr, and stdout if it is a terminal. Pipes and files get
/// results exactly as they are.
enum Console {
    private static let isQuiet = Guarded(false)

    /// Whether results are read by a person.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Drops all that ``note(_:)`` would write from now on: `--quiet`.
    static func silence() { isQuiet.withLock { $0 = true } }

    /// Whether notes are dropped.
    static var isSilent: Bool { isQuiet.withLock { $0 } }

    /// Prints a result.
    ///
    /// - Throws: ``OutputFailure``.
    static func print(_ text: String) throws { try write(shown(text)) }

    /// Tells a failure, or how it goes, on stderr; nothing with `--quiet`.
    static func note(_ text: String) { if !isSilent { report(text) } }

    /// Writes to stderr what was asked for, `--quiet` or not: a usage error, the output of `-v` and `--timings`.
    static func report(_ text: String) { tell(PrintableText.lines(text) + "\n") }

    /// Writes to stderr as it is.
    static func tell(_ text: String) {
        // There is nowhere left to say that this can't be written.
        try? put(Data(text.utf8), STDERR_FILENO)
    }

    /// The reader of stdout has gone away.
    struct NobodyReads: Error {}

    /// Prints one of many results, of which the last is far away.
    ///
    /// - Throws: ``NobodyReads``, so that who prints for nobody can end; ``OutputFailure``.
    static func stream(_ text: String) throws { try stream(shown(text)) }

    /// Writes a piece of a result as it is, at once.
    ///
    /// - Throws: ``NobodyReads``, ``OutputFailure``.
    static func stream(_ data: Data) throws { try put(data, STDOUT_FILENO) }

    /// Writes a result as it is.
    ///
    /// - Throws: ``OutputFailure``. A reader that went away (`helium request … | head`) is not our failure.
    static func write(_ data: Data) throws {
        do { try put(data, STDOUT_FILENO) } catch is NobodyReads {}
    }

    /// Writes a document: as it is, or escaped for a terminal.
    ///
    /// - Throws: ``OutputFailure``.
    static func write(document: Data) throws {
        try write(isTerminal ? Data(PrintableText.lines(String(decoding: document, as: UTF8.self)).utf8) : document)
    }

    /// Writes a JSON document: as it is, or escaped for a terminal.
    ///
    /// - Throws: ``OutputFailure``.
    static func write(json: Data) throws {
        try write(isTerminal ? Data(PrintableText.json(String(decoding: json, as: UTF8.self)).utf8) : json)
    }

    private static func shown(_ text: String) -> Data {
        Data(((isTerminal ? PrintableText.lines(text) : text) + "\n").utf8)
    }

    private static func put(_ data: Data, _ descriptor: Int32) throws {
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
                case EPIPE: throw NobodyReads()
                case EAGAIN:
                    // Somebody made it non-blocking, as a shell's terminal may be.
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&request, 1, -1)
                default: throw OutputFailure(systemError: errno)
                }
            }
        }
    }
}

/// What was to be printed can't be: a full disk, a closed descriptor.
struct OutputFailure: Error, CustomStringConvertible {
    let systemError: Int32

    var description: String { "the output can't be written: \(String(cString: strerror(systemError)))" }
}

/// How results are written.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// For people.
    case text
    /// One JSON document, for programs.
    case json
}

/// JSON for stdout and stderr.
enum Document {
    /// A document on one line, safe to show.
    static func line(_ value: some Encodable) throws -> String {
        PrintableText.json(String(decoding: try FoundationJSONEncoder().encode(value), as: UTF8.self))
    }
}
