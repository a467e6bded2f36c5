import Dispatch
import Foundation

/// Ends the process from a thread outside of Swift's cooperative pool, whose threads may all be busy.
enum ForcedExit {
    /// A serial queue, which gets a thread even if all processors are busy.
    static let queue = DispatchQueue(label: "helium.exit", qos: .userInteractive)

    /// Ends the process after a delay, unless it has ended before. Deletes ``TemporaryFiles``, leaves the
    /// ``TerminalScreen``, prints the reason, and exits with status 1.
    static func schedule(after delay: Duration, reason: String) {
        queue.asyncAfter(deadline: .now() + .milliseconds(max(0, Int(delay / .milliseconds(1))))) {
            TemporaryFiles.removeAll()
            TerminalScreen.leave()
            Console.note("helium: \(reason)")
            _exit(ExitStatus.failure)
        }
    }
}

/// Exit codes of the tool.
enum ExitStatus {
    static let failure: Int32 = 1
}
