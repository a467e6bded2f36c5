import Foundation

@testable import FuzzSupport

/// Starts a process for each target, sees that each goes on, and tells what became of it.
struct FuzzSupervisor {
    /// No input may take longer.
    private static let longestInput = Duration.seconds(60)

    let options: FuzzOptions

    /// Whether nothing was found.
    func run() async throws -> Bool {
        let targets = options.targets
        say("fuzz: \(targets.count) targets, seed \(options.seed)")
        let start = ContinuousClock.now
        let failed = try await withThrowingTaskGroup(of: String?.self) { group in
            var waiting = targets[...]
            var failed: [String] = []
            for target in waiting.prefix(options.jobs) { group.addTask { try await run(target) } }
            waiting = waiting.dropFirst(options.jobs)
            while let name = try await group.next() {
                if let name { failed.append(name) }
                if let target = waiting.popFirst() { group.addTask { try await run(target) } }
            }
            return failed
        }
        let time = (ContinuousClock.now - start).components.seconds
        say("fuzz: \(failed.isEmpty ? "nothing found" : "FOUND in \(failed.joined(separator: ", "))"), \(time) s")
        return failed.isEmpty
    }

    /// The target's name if something was found.
    private func run(_ target: FuzzTarget) async throws -> String? {
        try FileManager.default.createDirectory(atPath: options.findings, withIntermediateDirectories: true)
        let path = "\(options.findings)/\(target.name).log"
        let log = try FuzzLog(path: path, isNew: true)
        defer {
            log.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        let start = ContinuousClock.now
        let (status, isHung) = try await runChild(target, path, log)
        if status == 0, !isHung {
            let seconds = Double((ContinuousClock.now - start).components.seconds)
            let count = options.count(of: target)
            let rate = Int(Double(count) / max(1, seconds))
            say("fuzz: \(target.name): \(count) inputs, nothing found, \(Int(seconds)) s, \(rate) in a second")
            return nil
        }
        let how = isHung ? "HANGS" : status == FuzzWorker.findingStatus ? "FINDING" : "TRAP (status \(status))"
        let file = "\(options.findings)/\(target.name)-\(options.seed)-\(log.round).input"
        try Data(log.input).write(to: URL(fileURLWithPath: file))
        say(
            """
            fuzz: \(target.name): \(how) at input \(log.round), kept in \(file):
                \(String(decoding: log.input.prefix(2000), as: UTF8.self).debugDescription)
                again: --only \(target.name) --seed \(options.seed) --from \(log.round) --count 1
            """
        )
        return target.name
    }

    private func runChild(_ target: FuzzTarget, _ path: String, _ log: FuzzLog) async throws -> (Int32, isHung: Bool) {
        let child = try FuzzChild(arguments: [
            CommandLine.arguments[0], "--child", path, "--only", target.name, "--seed", "\(options.seed)",
            "--from", "\(options.from)", "--count", "\(options.count(of: target))",
        ])
        var last = (round: -1, since: ContinuousClock.now)
        while true {
            if let status = child.status() { return (status, false) }
            if log.round != last.round {
                last = (log.round, .now)
            } else if ContinuousClock.now - last.since > Self.longestInput {
                return (child.end(), true)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
