internal import Foundation
public import HTTPTypes
public import HeliumCore
internal import Synchronization

/// A transport without a network: a closure answers, every request is kept.
///
/// ```swift
/// let transport = MockTransport { request in .json(#"{"status":200,"response":[]}"#) }
/// ```
public final class MockTransport: HTTPTransport {
    /// Answers a request, or throws the failure a network would.
    public typealias Handler = @Sendable (TransportRequest) async throws(TransportFailure) -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
        var isShutDown = false
    }

    private let handler: Handler
    private let state = Guarded(State())

    /// A transport that answers with `handler`.
    public init(_ handler: @escaping Handler) { self.handler = handler }

    /// A transport that gives the answers in their order, the last again and again.
    public convenience init(answers: [TransportResponse]) {
        precondition(!answers.isEmpty, "at least one answer")
        let position = Guarded(0)
        self.init { _ in
            position.withLock { position in
                defer { position += 1 }
                return answers[min(position, answers.count - 1)]
            }
        }
    }

    /// A transport whose every transfer fails.
    public convenience init(failing failure: TransportFailure) {
        self.init { _ throws(TransportFailure) in throw failure }
    }

    /// All requests so far, in the order they came.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// Whether ``shutdown()`` was called.
    public var isShutDown: Bool { state.withLock { $0.isShutDown } }

    /// Keeps the request and asks the handler.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        if Task.isCancelled {
            throw TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
        }
        let isOpen = state.withLock { state in
            if !state.isShutDown { state.requests.append(request) }
            return !state.isShutDown
        }
        guard isOpen else { throw TransportFailure(.clientClosed, delivery: .notSent, message: "the client is closed") }
        return try await handler(request)
    }

    /// Later requests fail with `clientClosed`.
    public func shutdown() async { state.withLock { $0.isShutDown = true } }
}

extension TransportResponse {
    /// An answer with a JSON text.
    public static func json(_ text: String, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        var all: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        for field in fields { all[fields: field.name] = [field] }
        return Self(head: ResponseHead(status: status, fields: all), body: .collected(Data(text.utf8)))
    }

    /// An answer without a body.
    public static func empty(status: Int = 204, fields: HTTPFields = [:]) -> Self {
        Self(head: ResponseHead(status: status, fields: fields), body: .collected(Data()))
    }
}
