import Foundation
import HeliumConcurrency
import Synchronization

/// Calls a handler on SIGHUP, SIGINT, SIGTERM or other signals in place of their default action. If the process does not end
/// within a grace period, it is ended by the signal.
///
/// A signal is the usual end of commands that run until one arrives, such as servers. They clean up and keep their exit
/// code. It interrupts all others: they clean up too, and then end by the signal (``CommandContext/interrupt(by:)``).
struct TerminationSignals {
    private let restore: () -> Void

    /// The signals that ask a process to end: a closed terminal or connection, Ctrl-C, and `kill`. SIGHUP has no effect
    /// on a process that was started with it ignored, such as by `nohup` (``ProcessControl``).
    static let standard = [SIGHUP, SIGINT, SIGTERM]

    /// The grace periods after the first and the second signal that interrupt a command.
    static let standardGraces: [Duration] = [.milliseconds(800), .zero]

    /// The grace periods after the first and the second signal that are the usual end of a command. A slow machine or
    /// disk may need some seconds until the last points are in a cache, and a connection is closed.
    static let usualEndGraces: [Duration] = [.seconds(5), .zero]

    /// - Parameters:
    ///   - graces: The grace periods after the first signal, the second and so on. The last one applies to all further
    ///     signals. If empty, the process is never ended.
    init(graces: [Duration] = standardGraces, _ handler: @escaping @Sendable () -> Void) {
        self.init(graces: graces) { _ in handler() }
    }

    /// - Parameter handler: Receives the number of the signal.
    init(
        of numbers: [Int32] = standard,
        graces: [Duration] = standardGraces,
        _ handler: @escaping @Sendable (Int32) -> Void
    ) {
        let context = CommandContext.current
        let count = Guarded(0)
        restore = context.process.handleSignals(numbers) { number in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if let last = graces.last {
                let grace = index < graces.count ? graces[index] : last
                context.forceEnd(.signal(number), after: grace, reason: "interrupted")
            }
            // Signals arrive outside of the command's task.
            CommandContext.$current.withValue(context) { handler(number) }
        }
    }

    /// Restores the default actions of the signals.
    func stop() { restore() }

    /// Runs `work` until it ends, a signal cancels it, or the reader of its output has exited. A signal is the usual end
    /// of the command.
    static func following(_ work: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await cancelling(isUsualEnd: true, work)
        } catch is CancellationError {
        } catch is Console.BrokenPipe {
        }
    }

    /// Runs `work` in a task that the signals cancel, so that it can clean up.
    ///
    /// - Parameters:
    ///   - graces: The grace periods after the first signal, the second and so on. Default: ``usualEndGraces`` or
    ///     ``standardGraces``.
    ///   - isUsualEnd: Whether a signal is the usual end of the command. Default: it interrupts the command.
    ///   - stop: Called when a signal arrives.
    static func cancelling<Value: Sendable>(
        of numbers: [Int32] = standard,
        graces: [Duration]? = nil,
        isUsualEnd: Bool = false,
        stopping stop: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Set up before the task starts, because a signal may arrive at once.
        let state = Guarded<(task: Task<Value, any Error>?, isCancelled: Bool)>((nil, false))
        let graces = graces ?? (isUsualEnd ? usualEndGraces : standardGraces)
        let signals = TerminationSignals(of: numbers, graces: graces) { number in
            if !isUsualEnd { CommandContext.current.interrupt(by: number) }
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
            stop()
        }
        defer { signals.stop() }
        let task = Task { try await work() }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
