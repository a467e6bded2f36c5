internal import Synchronization

/// Runs work that blocks, one piece after the other, outside of Swift's cooperative threads.
///
/// Its thread exists only while there is work. A dispatch queue would do the same, but Swift's overlay for it makes
/// 0.2 MB resident in every process that links it.
package final class BlockingWorker: Sendable {
    private typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work] = []
        var hasThread = false
    }

    private let state = Guarded(State())

    package init() {}

    /// Runs `body` after all work that came earlier, and returns its result.
    ///
    /// If the system can't start a thread, `body` runs on the calling one.
    package func run<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result = await withCheckedContinuation { continuation in
            add { continuation.resume(returning: Swift.Result { () throws(Failure) in try body() }) }
        }
        return try result.get()
    }

    private func add(_ work: @escaping Work) {
        let needsThread = state.withLock { state in
            state.waiting.append(work)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard needsThread else { return }
        do throws(SystemThread.NotStarted) {
            try SystemThread(name: "helium-blocking") { [self] in workOff() }.detach()
        } catch {
            workOff()
        }
    }

    /// Runs all work, including what is added meanwhile.
    private func workOff() {
        while true {
            let works = state.withLock { state -> [Work] in
                if state.waiting.isEmpty { state.hasThread = false }
                defer { state.waiting = [] }
                return state.waiting
            }
            if works.isEmpty { return }
            for work in works { work() }
        }
    }
}
