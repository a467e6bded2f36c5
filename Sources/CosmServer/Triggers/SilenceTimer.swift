internal import NIOCore
internal import NIOPosix

/// Fires the triggers on frozen: the only thing in Cosm that happens without a request (§8).
///
/// It sleeps until the next silence is long enough, measured on the server's clock when it falls asleep, and is woken
/// where a trigger or the clock was changed.
final class SilenceTimer: Sendable {
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    init() { (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Makes it look again.
    func wake() { waker.yield() }

    /// Runs until the task is cancelled. `fire` fires what is due and tells how long it is to the next.
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
