import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization

/// A body that comes in the given chunks, then ends, fails, or stays silent.
final class ScriptedBody: BodyStreamSource {
    enum Ending: Sendable { case end, failure(FailureKind), silence }

    private struct State {
        var chunks: ArraySlice<Data>
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let ending: Ending
    private let state: Guarded<State>

    init(_ chunks: [String], then ending: Ending = .end) {
        self.ending = ending
        state = Guarded(State(chunks: chunks.map { Data($0.utf8) }[...]))
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    var untaken: Int { state.withLock { $0.chunks.count } }

    func next() async throws(TransportFailure) -> Data? {
        if Task.isCancelled { cancel() }
        if isCancelled { throw TransportFailure(.cancelled, delivery: .answered, message: "cancelled") }
        if let chunk = state.withLock({ $0.chunks.popFirst() }) { return chunk }
        switch ending {
        case .end: return nil
        case .failure(let kind): throw TransportFailure(kind, delivery: .answered, message: "the body broke off")
        case .silence:
            await waitForCancel()
            throw TransportFailure(.cancelled, delivery: .answered, message: "cancelled")
        }
    }

    func cancel() {
        let waiter = state.withLock { state in
            state.isCancelled = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    private func waitForCancel() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isCancelled { state.waiter = continuation }
                    return state.isCancelled
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }
}

extension TransportResponse {
    /// An answer with a streamed body.
    static func stream(_ body: ScriptedBody, status: Int = 200, type: String? = nil) -> Self {
        var fields: HTTPFields = [:]
        fields[.contentType] = type
        return Self(head: ResponseHead(status: status, fields: fields), body: .stream(BodyStream(source: body)))
    }

    /// An event stream.
    static func events(_ chunks: String..., then ending: ScriptedBody.Ending = .end) -> Self {
        .stream(ScriptedBody(chunks, then: ending), type: "text/event-stream")
    }
}

/// A transport that gives the next answer at each request, and a failure after the last.
func transport(answering answers: [Result<TransportResponse, TransportFailure>]) -> MockTransport {
    // Reversed: what was given must not be kept, or its stream would never be dropped.
    let rest = Guarded(Array(answers.reversed()))
    return MockTransport { _ throws(TransportFailure) in
        let next = rest.withLock { $0.popLast() }
        guard let next else { throw TransportFailure(.tlsFailed, delivery: .notSent, message: "no answer left") }
        return try next.get()
    }
}

extension AsyncSequence {
    /// All elements.
    func collected() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
