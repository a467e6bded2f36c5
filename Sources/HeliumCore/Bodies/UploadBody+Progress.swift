internal import HeliumEssentials
internal import Synchronization

extension UploadBody {
    /// The same body, telling `handler` how far its reading has got; each attempt begins anew.
    func reporting(
        to handler: @escaping @Sendable (TransferProgress) -> Void,
        clock: any HeliumClock
    ) -> UploadBody {
        let length = length
        return observed { source in
            ReportingSource(source, ProgressReporter(total: length, clock: clock, handler: handler))
        }
    }
}

/// Counts what a source gives. A chunk counts when the next is asked for: then there was room for it.
private final class ReportingSource: UploadSource {
    private struct State {
        var completed: Int64 = 0
        var reporter: ProgressReporter
    }

    private let source: any UploadSource
    private let state: Guarded<State>

    init(_ source: any UploadSource, _ reporter: ProgressReporter) {
        self.source = source
        state = Guarded(State(reporter: reporter))
    }

    func next() async throws -> Data? {
        tell(false)
        let chunk = try await source.next()
        state.withLock { $0.completed += Int64(chunk?.count ?? 0) }
        if chunk == nil { tell(true) }
        return chunk
    }

    func cancel() { source.cancel() }

    /// Outside of the lock: the handler is the user's. There is one reader, so nothing comes between.
    private func tell(_ isEnd: Bool) {
        var (completed, reporter) = state.withLock { ($0.completed, $0.reporter) }
        if isEnd { reporter.finish(completed) } else { reporter.report(completed) }
        state.withLock { [reporter] in $0.reporter = reporter }
    }
}
