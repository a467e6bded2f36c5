import ArgumentParser
import Foundation
import HeliumKit

/// Where the tool's words go: results to stdout, everything else to stderr.
enum Console {
    /// Whether results are read by a person.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Prints a result.
    ///
    /// - Throws: ``OutputFailure``.
    static func print(_ text: String) throws { try write(Data((text + "\n").utf8)) }

    static func note(_ text: String) { tell(text + "\n") }

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
    static func stream(_ text: String) throws { try put(Data((text + "\n").utf8), STDOUT_FILENO) }

    /// Writes a result as it is.
    ///
    /// - Throws: ``OutputFailure``. A reader that went away (`helium request … | head`) is not our failure.
    static func write(_ data: Data) throws {
        do { try put(data, STDOUT_FILENO) } catch is NobodyReads {}
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

extension OutputFormat {
    /// Tells a failure on stderr and gives the exit code to end with: 64 for what the command line got wrong, else 1.
    ///
    /// - Parameter isTimed: Whether to tell also where the time went.
    func report(_ error: any Error, isTimed: Bool = false) -> ExitCode {
        let breakdown = isTimed ? Self.breakdown(of: error) : nil
        switch self {
        case .text:
            if let breakdown { Console.note(breakdown.table) }
            Console.note("helium: \(Self.text(of: error))")
        case .json:
            Console.note((try? Self.json(of: error, breakdown)) ?? "{}")
        }
        let usage: [FailureKind] = [.invalidRequest, .invalidConfiguration, .encodingFailed]
        return (error as? HeliumError).map { usage.contains($0.kind) } == true ? .validationFailure : ExitCode(1)
    }

    private static func text(of error: any Error) -> String {
        error is CancellationError ? "interrupted" : String(describing: error)
    }

    /// `nil` where nothing was attempted.
    private static func breakdown(of error: any Error) -> TimeBreakdown? {
        guard let error = error as? HeliumError, !error.attempts.isEmpty else { return nil }
        return TimeBreakdown(error[fact: \.timings], error.attempts)
    }

    private static func json(of error: any Error, _ breakdown: TimeBreakdown?) throws -> String {
        guard let error = error as? HeliumError else {
            return try Document.line(FailureDocument(kind: "failure", message: text(of: error)))
        }
        return try Document.line(
            FailureDocument(
                kind: error.kind.rawValue,
                message: error.message,
                delivery: error.delivery.rawValue,
                request: error.request.description,
                status: error.status,
                attempts: error.attempts.count,
                timings: breakdown,
                errors: error.serverErrors
            )
        )
    }
}

/// A failure as programs read it.
private struct FailureDocument: Encodable {
    var kind: String
    var message: String
    var delivery: String?
    var request: String?
    var status: Int?
    var attempts: Int?
    var timings: TimeBreakdown?
    var errors: [ServerError]?
}

/// JSON for stdout and stderr.
enum Document {
    static func line(_ value: some Encodable) throws -> String {
        String(decoding: try FoundationJSONEncoder().encode(value), as: UTF8.self)
    }

    static func pretty(_ value: some Encodable) throws -> String {
        let encoder = FoundationJSONEncoder { $0.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
