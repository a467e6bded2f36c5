import ArgumentParser
import Foundation
import HeliumKit

/// Where the tool's words go: results to stdout, everything else to stderr.
enum Console {
    /// Whether results are read by a person.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static func print(_ text: String) { write(Data((text + "\n").utf8), to: .standardOutput) }

    static func note(_ text: String) { write(Data((text + "\n").utf8), to: .standardError) }

    /// The reader of stdout has gone away.
    struct NobodyReads: Error {}

    /// Prints one of many results, of which the last is far away.
    ///
    /// - Throws: ``NobodyReads``, so that who prints for nobody can end.
    static func stream(_ text: String) throws {
        do { try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8)) } catch { throw NobodyReads() }
    }

    static func write(_ data: Data, to handle: FileHandle) {
        // A reader that went away (`helium request … | head`) is not our failure.
        try? handle.write(contentsOf: data)
    }
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
