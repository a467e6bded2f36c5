import Foundation
import TestSupport

/// A process of `TestProcess` that has run to its end.
struct Run: Sendable {
    let status: Int32
    let output: String

    /// The first seed of a run of random ones: 1 unless others are requested.
    static var seed: String { "\(1 + (ProofLength.seed ?? 0) % 1_000_000)" }

    static func simulation(_ arguments: [String]) async throws -> Self { try await Self(["simulate"] + arguments) }
    static func crash(_ arguments: [String]) async throws -> Self { try await Self(["crash"] + arguments) }

    /// The lines that tell of anything but success.
    var failures: [Substring] {
        output.split(separator: "\n").filter { !$0.contains(": passed ") && !$0.hasPrefix("simulation: counted ") }
    }

    /// The number of seeds that have passed.
    var passed: Int { output.split(separator: "\n").count { $0.contains(": passed ") } }

    /// The number of events of each kind, which a run of a simulation prints at its end.
    var counts: [Substring: Int] {
        let prefix = "simulation: counted "
        guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix(prefix) }),
            let start = line.firstRange(of: ": ")?.upperBound, let list = line[start...].firstRange(of: ": ")
        else { return [:] }
        var counts: [Substring: Int] = [:]
        for entry in line[list.upperBound...].split(separator: ", ") {
            guard let space = entry.lastIndex(of: " ") else { continue }
            counts[entry[..<space]] = Int(entry[entry.index(after: space)...])
        }
        return counts
    }

    private init(_ arguments: [String]) async throws {
        let run = try await ProgramRun(arguments)
        (status, output) = (run.status, run.output)
    }
}
