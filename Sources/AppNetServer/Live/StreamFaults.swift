internal import HeliumConcurrency
internal import Synchronization

/// What goes wrong on purpose on streams (§8 item 13).
final class StreamFaults: Sendable {
    private struct State {
        var cuts = 0
        var duplicates = 0
    }

    private let state = Guarded(State())

    /// The connections of the next `count` frames end in the middle of them.
    func cutNext(_ count: Int) { state.withLock { $0.cuts = max(0, count) } }

    /// The next `count` frames are sent twice.
    func duplicateNext(_ count: Int) { state.withLock { $0.duplicates = max(0, count) } }

    /// Sends a frame, as wrong as it shall be.
    func send(_ frame: [UInt8], to sink: any LiveSink) {
        let (isCut, isDoubled) = state.withLock { state in
            if state.cuts > 0 {
                state.cuts -= 1
                return (true, false)
            }
            guard state.duplicates > 0 else { return (false, false) }
            state.duplicates -= 1
            return (false, true)
        }
        if isCut {
            sink.cut(in: frame)
            return
        }
        sink.send(frame)
        if isDoubled { sink.send(frame) }
    }
}
