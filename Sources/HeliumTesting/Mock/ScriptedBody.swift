import Foundation
import HeliumCore
import Synchronization

/// A body that arrives in the chunks that a test defines.
final class ScriptedBody: BodyStreamSource {
    private struct State {
        var position = 0
        var isOver = false
        var isCancelled = false
    }

    private let state = Guarded(State())
    private let chunks: [Data]
    private let gate: MockTransport.Gate?
    /// The number of this stream at the gate.
    private let visitor: Int
    private let failure: TransportFailure?

    init(chunks: [Data], gate: MockTransport.Gate?, failure: TransportFailure?) {
        self.chunks = chunks.filter { !$0.isEmpty }
        self.gate = gate
        visitor = gate?.takeID() ?? 0
        self.failure = failure
    }

    deinit { gate?.forget(visitor) }

    /// Returns a stream of the same chunks from the beginning. A response that a mock returns again needs one, because a
    /// stream can be read once. Releasing the original does not count as abandoning a stream.
    func repeated() -> ScriptedBody {
        state.withLock { $0.isOver = true }
        return ScriptedBody(chunks: chunks, gate: gate, failure: failure)
    }

    func next() async throws(TransportFailure) -> Data? {
        do throws(TransportFailure) {
            if Task.isCancelled { throw ScriptedBody.cancelled }
            try await gate?.pass(for: visitor)
        } catch {
            cancel()
            throw ScriptedBody.cancelled
        }
        let (chunk, isCancelled) = state.withLock { state -> (Data?, Bool) in
            guard !state.isCancelled, state.position < chunks.count else {
                if !state.isCancelled { state.isOver = true }
                return (nil, state.isCancelled)
            }
            defer { state.position += 1 }
            return (chunks[state.position], false)
        }
        if isCancelled { throw ScriptedBody.cancelled }
        if let chunk { return chunk }
        if let failure { throw failure }
        return nil
    }

    /// Abandons the stream, unless it was read to its end.
    func cancel() {
        let isAbandoned = state.withLock { state in
            guard !state.isOver, !state.isCancelled else { return false }
            state.isCancelled = true
            return true
        }
        if isAbandoned { gate?.abandon(for: visitor) }
    }

    private static let cancelled = TransportFailure(
        .cancelled,
        delivery: .answered,
        message: "the stream was cancelled"
    )
}
