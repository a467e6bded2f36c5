import HeliumConcurrency
import Synchronization

/// Lets tests wait until something of a scripted server is so: it is asked again after everything that happens.
package final class ChangeWatch: Sendable {
    private let watchers = Guarded<[AsyncStream<Void>.Continuation]>([])

    package init() {}

    /// Tells those who wait that something happened.
    package func changed() {
        for watcher in watchers.withLock({ $0 }) { watcher.yield() }
    }

    /// Waits until something is so, or the task is cancelled.
    package func wait(until condition: @Sendable () -> Bool) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        watchers.withLock { $0.append(continuation) }
        if condition() { return }
        for await _ in stream where condition() { return }
    }
}
