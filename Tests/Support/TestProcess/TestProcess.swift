import CostSupport
import CrashSupport
import Foundation
import SimulationSupport

/// The process that tests start, measure and kill. It is one program, because linking takes time.
///
///     TestProcess simulate|cost|crash|jetstream-client [ARGUMENT]…
@main
enum TestProcess {
    /// A simulation owns the main thread and all tasks of the process. So this function is not asynchronous.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst(2))
        switch CommandLine.arguments.dropFirst().first {
        case "simulate": SimulationProgram.main(arguments)
        case "cost": CostProgram.main(arguments)
        case "crash": run { await CrashProgram.main(arguments, subcommand: "crash") }
        case "jetstream-client": run { await JetstreamCrashClient.main(arguments) }
        default:
            FileHandle.standardError.write(
                Data("TestProcess: error: the subcommands are simulate, cost, crash and jetstream-client\n".utf8)
            )
            exit(2)
        }
    }

    private static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
        Task { await body() }
        dispatchMain()
    }
}
