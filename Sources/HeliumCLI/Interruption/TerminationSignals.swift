import Dispatch
import Foundation

/// Calls a handler on SIGINT or SIGTERM, or other signals, in place of their usual effect.
final class TerminationSignals {
    private let sources: [any DispatchSourceSignal]
    private let restorations: [() -> Void]

    convenience init(_ handler: @escaping @Sendable () -> Void) { self.init { _ in handler() } }

    /// - Parameter handler: Is given the signal's number.
    init(of numbers: [Int32] = [SIGINT, SIGTERM], _ handler: @escaping @Sendable (Int32) -> Void) {
        restorations = numbers.map { number in
            let previous = signal(number, SIG_IGN)
            return { _ = signal(number, previous) }
        }
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler(number) }
            source.resume()
            return source
        }
    }

    /// Gives the signals their effect back.
    func stop() {
        for source in sources { source.cancel() }
        for restore in restorations { restore() }
    }

    /// Does `work`, which the signals cancel, so that it can tidy up behind itself.
    static func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (interruptions, interruption) = AsyncStream<Void>.makeStream()
        // Before anything begins: a signal may come at once.
        let signals = TerminationSignals { interruption.yield() }
        let task = Task { try await work() }
        let watch = Task { for await _ in interruptions { task.cancel() } }
        defer {
            signals.stop()
            watch.cancel()
        }
        return try await task.value
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
