import Foundation
import TestSupport

/// A process of `TestProcess` that has run to its end.
struct Run: Sendable {
    let status: Int32
    let output: String
    /// The processor time of the program and of programs that it started, in seconds.
    let processorTime: Double

    static func simulation(_ arguments: [String]) async throws -> Self { try await Self(["simulate"] + arguments) }
    static func crash(_ arguments: [String]) async throws -> Self { try await Self(["crash"] + arguments) }

    /// The lines that tell of anything but success.
    var failures: [Substring] {
        output.split(separator: "\n").filter { !$0.contains(": passed ") && !$0.hasPrefix("simulation: counted ") }
    }

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
        (status, output, processorTime) = try await withCheckedThrowingContinuation { continuation in
            // On a thread of its own, like all blocking work of tests.
            Thread.detachNewThread { continuation.resume(with: Result { try Self.run(arguments) }) }
        }
    }

    private static func run(_ arguments: [String]) throws -> (Int32, String, Double) {
        // The shell measures this program alone. The process of the tests may have others at the same time.
        let times = FileManager.default.temporaryDirectory.appendingPathComponent("times-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: times) }
        let command = "\"$@\"; status=$?; LC_ALL=C; times >\"$0\"; exit $status"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command, times.path, BuiltProducts.executable("TestProcess").path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let seconds = try Self.seconds(in: String(contentsOf: times, encoding: .utf8))
        return (process.terminationStatus, String(decoding: data, as: UTF8.self), seconds)
    }

    /// Returns the time of the children in the output of `times`: its second line, such as `0m1.25s 0m0.10s`.
    private static func seconds(in times: String) -> Double {
        let lines = times.split(separator: "\n")
        guard lines.count == 2 else { return .nan }
        return lines[1].matches(of: /(\d+)m([\d.]+)s/).reduce(0) { sum, match in
            sum + 60 * (Double(match.output.1) ?? .nan) + (Double(match.output.2) ?? .nan)
        }
    }
}
