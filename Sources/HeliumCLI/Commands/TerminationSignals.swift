import Dispatch
import Foundation

/// Calls a handler on SIGINT or SIGTERM in place of the signals' usual effect.
final class TerminationSignals {
    private let sources: [any DispatchSourceSignal]
    private let restorations: [() -> Void]

    init(_ handler: @escaping @Sendable () -> Void) {
        let numbers = [SIGINT, SIGTERM]
        restorations = numbers.map { number in
            let previous = signal(number, SIG_IGN)
            return { _ = signal(number, previous) }
        }
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: handler)
            source.resume()
            return source
        }
    }

    /// Gives the signals their effect back.
    func stop() {
        for source in sources { source.cancel() }
        for restore in restorations { restore() }
    }
}
