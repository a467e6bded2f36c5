internal import HeliumConcurrency
internal import Synchronization

/// The injected faults of streams (Docs/Protocols/AppNet.md §8).
final class StreamFaults: Sendable {
    private struct State {
        var cuts = 0
        var duplicates = 0
    }

    private let state = Guarded(State())

    /// Closes the connections of the next `count` frames in the middle of the frames.
    func cutNext(_ count: Int) { state.withLock { $0.cuts = max(0, count) } }

    /// Sends the next `count` frames twice.
    func duplicateNext(_ count: Int) { state.withLock { $0.duplicates = max(0, count) } }

    /// Sends a frame and applies the faults.
    func send(_ frame: [UInt8], to sink: any FrameSink) {
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
