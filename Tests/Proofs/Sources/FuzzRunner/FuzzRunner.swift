import Foundation

@testable import FuzzSupport

/// `make fuzz`: feeds each target of `FuzzSupport` its share of seeded inputs, each target in a process of its own, so
/// that a trap ends one and is told with the input that made it.
@main
enum FuzzRunner {
    static func main() async throws {
        #if HELIUM_LIBFUZZER
            try LibFuzzer.run()
        #else
            let options: FuzzOptions
            do {
                options = try FuzzOptions(CommandLine.arguments.dropFirst())
            } catch {
                say("fuzz: error: \(error)\n\(FuzzOptions.usage)")
                exit(2)
            }
            if let log = options.child {
                try await FuzzWorker(options: options, log: FuzzLog(path: log, isNew: false)).run()
            } else {
                exit(try await FuzzSupervisor(options: options).run() ? 0 : 1)
            }
        #endif
    }
}
