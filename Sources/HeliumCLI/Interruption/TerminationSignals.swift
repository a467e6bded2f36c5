import Dispatch
import Foundation
import HeliumConcurrency
import Synchronization

/// Calls a handler on SIGINT, SIGTERM or other signals in place of their default action, and ends the process if it
/// does not end within a grace period.
final class TerminationSignals {
    private let sources: [any DispatchSourceSignal]
    private let restorations: [() -> Void]

    /// The grace periods after the first and the second signal.
    static let standardGraces: [Duration] = [.milliseconds(800), .zero]

    /// - Parameters:
    ///   - graces: The grace periods after the first signal, the second and so on. The last one applies to all further
    ///     signals. If empty, the process is never ended.
    convenience init(graces: [Duration] = standardGraces, _ handler: @escaping @Sendable () -> Void) {
        self.init(graces: graces) { _ in handler() }
    }

    /// - Parameter handler: Receives the number of the signal.
    init(
        of numbers: [Int32] = [SIGINT, SIGTERM],
        graces: [Duration] = standardGraces,
        _ handler: @escaping @Sendable (Int32) -> Void
    ) {
        restorations = numbers.map { number in
            let previous = signal(number, SIG_IGN)
            return { _ = signal(number, previous) }
        }
        let count = Guarded(0)
        let registered = DispatchSemaphore(value: 0)
        sources = numbers.map { number in
            // Not a global queue: global queues share threads with Swift's tasks, which may be busy.
            let source = DispatchSource.makeSignalSource(signal: number, queue: ForcedExit.queue)
            source.setEventHandler {
                let index = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if let last = graces.last {
                    ForcedExit.schedule(after: index < graces.count ? graces[index] : last, reason: "interrupted")
                }
                handler(number)
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            return source
        }
        // A signal that arrives before the registration would be lost.
        for _ in numbers { _ = registered.wait(timeout: .now() + .seconds(5)) }
    }

    /// Restores the default actions of the signals.
    func stop() {
        for source in sources { source.cancel() }
        for restore in restorations { restore() }
    }

    /// Runs `work` in a task that the signals cancel, so that it can clean up.
    static func cancelling<Value: Sendable>(
        of numbers: [Int32] = [SIGINT, SIGTERM],
        graces: [Duration] = standardGraces,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Set up before the task starts, because a signal may arrive at once.
        let state = Guarded<(task: Task<Value, any Error>?, isCancelled: Bool)>((nil, false))
        let signals = TerminationSignals(of: numbers, graces: graces) { _ in
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
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

    /// Ends the process as the signal would without a handler, so that the parent process sees the signal.
    static func terminate(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_kill(pthread_self(), number)
        _exit(128 + number)
    }
}
