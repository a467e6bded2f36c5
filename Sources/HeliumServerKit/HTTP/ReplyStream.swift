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
        let (isFull, wake) = state.withLock { state -> (Bool, Wake?) in
            guard state.phase == .open else { return (false, nil) }
            guard state.waiting.count + bytes.count <= maximumWaiting else { return (true, nil) }
            state.waiting += bytes
            return (false, Self.takeReader(&state))
        }
        wake?.resume()
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
            let wake = state.withLock { state in
                state.reader = continuation
                return Self.takeReader(&state)
            }
            wake?.resume()
        }
    }

    private func end(_ phase: Phase, _ bytes: [UInt8] = []) {
        let (wake, action) = state.withLock { state -> (Wake?, (@Sendable () -> Void)?) in
            guard state.phase == .open else { return (nil, nil) }
            state.phase = phase
            state.waiting += bytes
            return (Self.takeReader(&state), state.onEnd.take())
        }
        wake?.resume()
        action?()
    }

    /// A waiting reader and its bytes, to resume after the lock is released.
    private struct Wake: Sendable {
        let reader: CheckedContinuation<[UInt8]?, Never>
        let bytes: [UInt8]

        func resume() { reader.resume(returning: bytes.isEmpty ? nil : bytes) }
    }

    /// Removes the reader and its bytes if there is something to report.
    private static func takeReader(_ state: inout State) -> Wake? {
        guard !state.waiting.isEmpty || state.phase != .open, let reader = state.reader.take() else { return nil }
        defer { state.waiting = [] }
        return Wake(reader: reader, bytes: state.waiting)
    }
}
