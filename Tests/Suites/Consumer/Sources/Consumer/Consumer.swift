import Foundation

/// Runs samples of the documentation without a network beyond this machine, and checks that documents show just these.
@main
struct Consumer {
    static func main() async throws {
        // Nothing here takes a second: a sample that hangs must not hang CI.
        let watchdog = Task {
            try await Task.sleep(for: .seconds(120))
            print("consumer: a sample hangs")
            exit(1)
        }
        defer { watchdog.cancel() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "helium-consumer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (samples, problems) = await run(Checks(folder: folder))
        try FileManager.default.removeItem(at: folder)
        for problem in problems { print("FAILED \(problem)") }
        print("consumer: \(samples) samples, \(problems.count) failed")
        if !problems.isEmpty { exit(1) }
    }

    private static func run(_ checks: Checks) async -> (samples: Int, problems: [String]) {
        var problems: [String] = []
        var names: Set<String> = []
        for check in checks.all {
            names.formUnion(check.names)
            let title = check.names.joined(separator: ", ")
            do {
                try await check.run()
                print("ok     \(title)")
            } catch {
                problems.append("\(title): \(error)")
            }
        }
        do {
            problems += try ShownSamples.problems(running: names)
            problems += try PublicNames.differences()
        } catch {
            problems.append("\(error)")
        }
        return (names.count, problems)
    }
}
