import Foundation

/// Starts this program again under Valgrind's Callgrind.
enum Callgrind {
    /// The exit status if Valgrind is missing.
    static let missing: Int32 = 77

    static func start() -> Never {
        guard let valgrind = path(of: "valgrind") else {
            say(
                "cost: SKIPPED: valgrind is missing, without which no instructions are counted (apt-get install valgrind)"
            )
            exit(missing)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-cost-\(getpid())").path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            say("cost: error: \(error)")
            exit(2)
        }
        // Hashes are seeded at random: a table's collisions would differ from run to run.
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        let probe = "helium_measured_work"
        // A subcommand of the program stays in front.
        let command = [program(in: folder)] + CommandLine.arguments.dropFirst() + ["--count-file", "\(folder)/count"]
        let options = [
            "--quiet", "--tool=callgrind", "--callgrind-out-file=\(folder)/count", "--zero-before=\(probe)",
            "--dump-after=\(probe)",
        ]
        let status = run(valgrind, options + command)
        try? FileManager.default.removeItem(atPath: folder)
        exit(status)
    }

    /// This program without its debugging information, which Valgrind 3.19 can't read; the program itself where there is
    /// no `strip`.
    private static func program(in folder: String) -> String {
        let copy = "\(folder)/program"
        let real =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        guard let strip = path(of: "strip"), run(strip, ["-g", "-o", copy, real]) == 0 else { return real }
        return copy
    }

    /// Runs a program to its end and returns its exit status.
    private static func run(_ program: String, _ arguments: [String]) -> Int32 {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: program)
        child.arguments = arguments
        do {
            try child.run()
        } catch {
            say("cost: error: \(error)")
            return 2
        }
        child.waitUntilExit()
        return child.terminationReason == .exit ? child.terminationStatus : 1
    }

    private static func path(of program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }
}
