internal import HeliumConcurrency
internal import Synchronization

/// A body that goes on while somebody has something to send, over HTTP/1.1 in chunks. A client that does not read is
/// cut off when too much waits for it.
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

    /// What is sent where nothing else was for a while; nil: nothing.
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

    /// Has `action` called once when the stream ends, by whatever cause; at once where it has.
    package func onEnd(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            guard state.phase == .open else { return false }
            state.onEnd = action
            return true
        }
        if !isOpen { action() }
    }

    /// How full the queue is, from 0 to 1.
    package var fill: Double { state.withLock { Double($0.waiting.count) / Double(maximumWaiting) } }

    /// Whether the connection has to end with the stream, in the middle of a chunk as far as the client can tell.
    package var isCut: Bool { state.withLock { $0.phase == .cut } }

    /// Sends `bytes`, or cuts the stream where too many wait already.
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

    /// Sends `bytes` where nothing waits to be sent.
    package func sendIfIdle(_ bytes: [UInt8]) {
        if state.withLock({ $0.waiting.isEmpty }) { send(bytes) }
    }

    /// Ends the body behind what waits.
    package func finish() { end(.finished) }

    /// Ends the connection behind what waits and `bytes`, without an end of the body.
    package func cut(after bytes: [UInt8] = []) { end(.cut, bytes) }

    /// Everything that waits; nil at the end. For one reader.
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
