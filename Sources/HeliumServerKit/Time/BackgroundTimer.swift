internal import NIOCore
internal import NIOPosix

/// Runs work that does not result from a request, each time that it is due.
///
/// It sleeps until the work is due again, in the system's time. It wakes early if the work may be due because of a write,
/// or because the clock was changed.
package final class BackgroundTimer: Sendable {
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    package init() { (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Makes the timer check again.
    package func wake() { waker.yield() }

    /// Runs until the task is cancelled.
    ///
    /// - Parameter fire: Does the work that is due, and returns the delay until there is more; `nil` if there is none.
    package func run(_ fire: @Sendable () async -> Duration?) async {
        var iterator = wakes.makeAsyncIterator()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        while !Task.isCancelled {
            let pause = await fire()
            let timer = pause.map { loop.scheduleTask(in: TimeAmount($0)) { [waker] () -> Void in waker.yield() } }
            let wake: Void? = await iterator.next()
            timer?.cancel()
            if wake == nil { return }
        }
    }
}
