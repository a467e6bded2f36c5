internal import HeliumEssentials
internal import Synchronization

extension UploadBody {
    /// Returns the same body, which reports its progress to `handler`. Each attempt starts again from zero.
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

/// Counts the bytes of a source. A chunk counts when the next one is requested, because then the transport had room for
/// it.
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
        reportProgress(false)
        let chunk = try await source.next()
        state.withLock { $0.completed += Int64(chunk?.count ?? 0) }
        if chunk == nil { reportProgress(true) }
        return chunk
    }

    func cancel() { source.cancel() }

    /// Calls the handler outside of the lock, because it is the user's code. There is one reader, so no other report
    /// can come in between.
    private func reportProgress(_ isEnd: Bool) {
        var (completed, reporter) = state.withLock { ($0.completed, $0.reporter) }
        if isEnd { reporter.finish(completed) } else { reporter.report(completed) }
        state.withLock { [reporter] in $0.reporter = reporter }
    }
}
