internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// Closes a connection whose request body does not arrive in time.
///
/// The remaining time grows with the bytes that arrive, but never beyond the limit. A body that arrives steadily may
/// therefore take any time, and one that pauses, or that is slower than the minimum rate, ends the connection.
final class BodyDeadline: Sendable {
    private struct State {
        var end: NIODeadline
        var timer: Scheduled<Void>?
        var isOver = false
    }

    private let channel: any Channel
    private let limit: TimeAmount
    private let state: Guarded<State>

    init(channel: any Channel, limit: TimeAmount) {
        self.channel = channel
        self.limit = limit
        state = Guarded(State(end: channel.eventLoop.now + limit))
    }

    func start() { schedule(at: state.withLock { $0.end }) }

    /// Adds to the remaining time, up to the limit.
    func extend(by time: TimeAmount) {
        let latest = channel.eventLoop.now + limit
        state.withLock { $0.end = min($0.end + time, latest) }
    }

    func stop() {
        let timer = state.withLock { state in
            state.isOver = true
            return state.timer.take()
        }
        timer?.cancel()
    }

    private func schedule(at time: NIODeadline) {
        let timer = channel.eventLoop.scheduleTask(deadline: time) { [weak self] () -> Void in self?.check() }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    private func check() {
        let (end, isOver) = state.withLock { ($0.end, $0.isOver) }
        if isOver { return }
        if end <= channel.eventLoop.now {
            channel.close(promise: nil)
        } else {
            schedule(at: end)
        }
    }
}
