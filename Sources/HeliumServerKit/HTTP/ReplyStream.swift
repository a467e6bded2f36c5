internal import HeliumConcurrency
internal import Synchronization

/// A response body that is sent piece by piece until the stream ends, over HTTP/1.1 in chunks. The connection of a
/// client that does not read is closed when too many bytes are queued.
package final class ReplyStream: Sendable {
    private enum Phase: Sendable {
        case open, finished, cut
    }

    private struct State {
        var phase = Phase.open
        var waiting: [UInt8] = []
        var reader: CheckedContinuation<[UInt8]?, Never>?
        var onEnd: (@Sendable () -> Void)?
    }

    /// The bytes that are sent when nothing else was sent for an interval.
    package struct KeepAlive: Sendable {
        package let interval: Duration
        package let bytes: [UInt8]

        package init(interval: Duration, bytes: [UInt8]) {
            self.interval = interval
            self.bytes = bytes
        }
    }

    package let keepAlive: KeepAlive?
    private let maximumWaiting: Int
    private let state = Guarded(State())

    package init(maximumWaiting: Int, keepAlive: KeepAlive?) {
        self.maximumWaiting = maximumWaiting
        self.keepAlive = keepAlive
    }

    /// Sets an action that is called once when the stream ends for any reason. Calls it at once if the stream has
    /// ended.
    package func onEnd(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            guard state.phase == .open else { return false }
            state.onEnd = action
            return true
        }
        if !isOpen { action() }
    }

    /// The fill level of the queue, from 0 to 1.
    package var fill: Double { state.withLock { Double($0.waiting.count) / Double(maximumWaiting) } }

    /// Whether the connection must be closed when the stream ends, without completing the body.
    package var isCut: Bool { state.withLock { $0.phase == .cut } }

    /// Queues `bytes`, or cuts the stream if the queue is full.
    package func send(_ bytes: [UInt8]) {
        let isFull = state.withLock { state in
            guard state.phase == .open else { return false }
            guard state.waiting.count + bytes.count <= maximumWaiting else { return true }
            state.waiting += bytes
            Self.wake(&state)
            return false
        }
        if isFull { cut() }
    }

    /// Queues `bytes` if nothing else is queued.
    package func sendIfIdle(_ bytes: [UInt8]) {
        if state.withLock({ $0.waiting.isEmpty }) { send(bytes) }
    }

    /// Ends the body after the queued bytes.
    package func finish() { end(.finished) }

    /// Closes the connection after the queued bytes and `bytes`, without completing the body.
    package func cut(after bytes: [UInt8] = []) { end(.cut, bytes) }

    /// Returns all queued bytes, and waits for some if there are none; `nil` at the end. Only one reader is allowed.
    package func next() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.reader = continuation
                Self.wake(&state)
            }
        }
    }

    private func end(_ phase: Phase, _ bytes: [UInt8] = []) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.phase == .open else { return nil }
            state.phase = phase
            state.waiting += bytes
            Self.wake(&state)
            return state.onEnd.take()
        }
        action?()
    }

    private static func wake(_ state: inout State) {
        guard state.reader != nil, !state.waiting.isEmpty || state.phase != .open else { return }
        let bytes = state.waiting
        state.waiting = []
        state.reader.take()?.resume(returning: bytes.isEmpty ? nil : bytes)
    }
}
