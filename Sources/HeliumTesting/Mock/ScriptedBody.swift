import Foundation
import HeliumCore
import Synchronization

/// A body that arrives in the chunks that a test defines.
final class ScriptedBody: BodyStreamSource {
    private struct State {
        var chunks: [Data]
        var isCancelled = false
    }

    private let state: Guarded<State>
    private let gate: MockTransport.Gate?
    private let failure: TransportFailure?

    init(chunks: [Data], gate: MockTransport.Gate?, failure: TransportFailure?) {
        state = Guarded(State(chunks: chunks.filter { !$0.isEmpty }.reversed()))
        self.gate = gate
        self.failure = failure
    }

    func next() async throws(TransportFailure) -> Data? {
        do throws(TransportFailure) {
            if Task.isCancelled { throw ScriptedBody.cancelled }
            try await gate?.pass()
        } catch {
            cancel()
            throw ScriptedBody.cancelled
        }
        let (chunk, isCancelled) = state.withLock { ($0.chunks.popLast(), $0.isCancelled) }
        if isCancelled { throw ScriptedBody.cancelled }
        if let chunk { return chunk }
        if let failure { throw failure }
        return nil
    }

    func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { gate?.abandon() }
    }

    private static let cancelled = TransportFailure(
        .cancelled,
        delivery: .answered,
        message: "the stream was cancelled"
    )
}
