import Dispatch
import Foundation
import HeliumConcurrency
import Synchronization

/// Calls a handler on SIGINT or SIGTERM, or other signals, in place of their usual effect, and ends the process where it
/// has not ended a moment later.
final class TerminationSignals {
    private let sources: [any DispatchSourceSignal]
    private let restorations: [() -> Void]

    /// The time that the process has to end after the first signal and after the second.
    static let standardGraces: [Duration] = [.milliseconds(800), .zero]

    /// - Parameters:
    ///   - graces: How long the process may go on after the first signal, the second and so on; the last one holds for all
    ///     further signals. Empty: for as long as it likes.
    convenience init(graces: [Duration] = standardGraces, _ handler: @escaping @Sendable () -> Void) {
        self.init(graces: graces) { _ in handler() }
    }

    /// - Parameter handler: Is given the signal's number.
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
            // Not a global queue: those share threads with Swift's tasks, which may be busy.
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
        // A signal that comes before would be ignored for good.
        for _ in numbers { _ = registered.wait(timeout: .now() + .seconds(5)) }
    }

    /// Gives the signals their effect back.
    func stop() {
        for source in sources { source.cancel() }
        for restore in restorations { restore() }
    }

    /// Does `work`, which the signals cancel, so that it can tidy up behind itself.
    static func cancelling<Value: Sendable>(
        of numbers: [Int32] = [SIGINT, SIGTERM],
        graces: [Duration] = standardGraces,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Before anything begins: a signal may come at once.
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

    /// Ends the process as the signal would have without a handler, so that its parent sees what ended it.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_kill(pthread_self(), number)
        _exit(128 + number)
    }
}
