internal import Foundation
public import HTTPTypes
public import HeliumCore
internal import Synchronization

/// A transport without a network: routes or a closure answer, every request is kept.
///
/// ```swift
/// let transport = MockTransport()
/// transport.on(.get, "/todos/:id") { request in .json(#"{"id":"\#(request["id"])"}"#) }
/// transport.on(.post, "/todos", .json(encoding: ["name": "Tea"]), times: .exactly(1)) { _ in .empty(status: 201) }
/// let helium = try Helium(baseURL: api, environment: ClientEnvironment(transport: transport))
/// let todo = try await helium.get("/todos/7", returning: Todo.self).value()
/// try await helium.post("/todos", body: ["name": "Tea"]).value()
/// #expect(todo.id == "7")
/// try transport.verify()
/// ```
///
/// The first route that fits answers. A request that none fits goes to the closure the transport was made with; without
/// one it fails with kind `unmatchedRequest`, and is listed in ``unmatchedRequests``.
///
/// A body is delivered as it was asked for: a stream is collected, under the request's ceiling, or a whole body streamed.
public final class MockTransport: HTTPTransport {
    /// Answers a request, or throws the failure a network would.
    public typealias Handler = @Sendable (TransportRequest) async throws(TransportFailure) -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
        var unmatched: [TransportRequest] = []
        var table: RouteTable
        var isShutDown = false
    }

    private let handler: Handler?
    private let state: Guarded<State>

    /// A transport that answers with `handler` what no route fits.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
        state = Guarded(State(table: RouteTable(order: .any)))
    }

    /// A transport with routes only: `on` adds them.
    ///
    /// - Parameter order: Whether requests must come in the order in which their routes were added. Default: any.
    public init(order: Order = .any) {
        handler = nil
        state = Guarded(State(table: RouteTable(order: order)))
    }

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

    /// Keeps the request and asks the route that fits, or the handler.
    public func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        if Task.isCancelled {
            throw TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
        }
        let verdict = state.withLock { state -> RouteTable.Verdict? in
            guard !state.isShutDown else { return nil }
            state.requests.append(request)
            let verdict = state.table.match(request)
            if case .unmatched = verdict, handler == nil { state.unmatched.append(request) }
            return verdict
        }
        let response: TransportResponse
        switch verdict {
        case nil:
            throw TransportFailure(.clientClosed, delivery: .notSent, message: "the client is closed")
        case .matched(let route, let parameters):
            response = try await route.respond(MatchedRequest(request: request, parameters: parameters))
        case .unmatched(let reasons):
            guard let handler else { throw .unmatched(request, reasons) }
            response = try await handler(request)
        }
        return try await response.delivered(as: request.responseBody)
    }

    /// Later requests fail with `clientClosed`.
    public func shutdown() async { state.withLock { $0.isShutDown = true } }
}

// MARK: Routes

extension MockTransport {
    /// Whether requests must come in the order of their routes.
    public enum Order: Hashable, Sendable {
        /// The first route that fits answers.
        case any
        /// A route is tried only when those before it have had as many requests as they must have; earlier ones are over.
        case strict
    }

    /// Answers the requests that fit.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for any.
    ///   - path: The path's pattern. A segment `:name` stands for one segment, which ``MatchedRequest`` gives decoded; a last
    ///     segment `*` for all that follow. Other segments are compared decoded.
    ///   - conditions: What else must be true.
    ///   - times: How many requests the route must and may have. Default: any number.
    ///   - respond: Answers, or throws the failure a network would.
    public func on(
        _ method: HTTPRequest.Method?,
        _ path: String,
        _ conditions: Condition...,
        times: Times = .any,
        respond: @escaping Responder
    ) {
        let route = Route(
            method: method,
            pattern: PathPattern(path),
            conditions: conditions,
            times: times,
            respond: respond
        )
        state.withLock { $0.table.add(route) }
    }

    /// Answers a matched request, or throws the failure a network would.
    public typealias Responder = @Sendable (MatchedRequest) async throws(TransportFailure) -> TransportResponse

    /// Says what is missing: routes with fewer requests than they must have, requests that no route fitted.
    ///
    /// - Throws: ``VerificationFailure`` if there is any of either.
    public func verify() throws(VerificationFailure) {
        let (unmet, unmatched) = state.withLock { ($0.table.unmet, $0.unmatched) }
        guard unmet.isEmpty, unmatched.isEmpty else {
            throw VerificationFailure(
                unmetExpectations: unmet,
                unmatchedRequests: unmatched.map { "\($0.method.rawValue) \($0.url.redacted)" }
            )
        }
    }

    /// What ``MockTransport/verify()`` found missing.
    public struct VerificationFailure: Error, Hashable, CustomStringConvertible {
        /// Routes with fewer requests than they must have, each as one sentence.
        public let unmetExpectations: [String]

        /// Requests that no route fitted: method and redacted URL.
        public let unmatchedRequests: [String]

        /// All of it, one on each line.
        public var description: String {
            (unmetExpectations + unmatchedRequests.map { "no route for \($0)" }).joined(separator: "\n")
        }
    }
}

// MARK: What it has seen

extension MockTransport {
    /// All requests so far, in the order they came.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The requests that failed because no route fitted them.
    public var unmatchedRequests: [TransportRequest] { state.withLock { $0.unmatched } }

    /// Whether ``shutdown()`` was called.
    public var isShutDown: Bool { state.withLock { $0.isShutDown } }
}

extension FailureKind {
    /// A testing transport has no answer to this request.
    public static let unmatchedRequest = Self(rawValue: "unmatchedRequest")
}

extension TransportFailure {
    fileprivate static func unmatched(_ request: TransportRequest, _ reasons: [String]) -> Self {
        let what = "no route fits \(request.method.rawValue) \(request.url.redacted)"
        let why = reasons.isEmpty ? "there are none" : reasons.joined(separator: "; ")
        return Self(.unmatchedRequest, delivery: .notSent, message: "\(what): \(why)")
    }
}
