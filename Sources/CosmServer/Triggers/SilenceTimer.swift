internal import NIOCore
internal import NIOPosix

/// Fires the triggers on frozen, the only events of Cosm that do not result from a request (Docs/Protocols/Cosm.md §8).
///
/// It sleeps until the next silence is long enough, according to the server's clock when the sleep begins. It wakes
/// early if a trigger or the clock was changed.
final class SilenceTimer: Sendable {
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    init() { (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Makes the timer check again.
    func wake() { waker.yield() }

    /// Runs until the task is cancelled. `fire` fires the triggers that are due and returns the delay until the next
    /// one.
    func run(_ fire: @Sendable () async -> Duration?) async {
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
