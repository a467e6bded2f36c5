internal import Foundation
public import HTTPTypes
public import HeliumCore
internal import Synchronization

/// A transport without a network. Routes or a closure provide the responses, and every request is kept.
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
/// The first matching route provides the response. A request that no route matches goes to the closure that the
/// transport was created with. Without a closure it fails with kind `unmatchedRequest` and is added to
/// ``unmatchedRequests``.
///
/// A body is delivered in the form that the request asks for. For example, a streamed body is collected, up to the
/// request's limit, or a complete body is streamed.
public final class MockTransport: HTTPTransport {
    /// Returns the response to a request, or throws a failure as a network would.
    public typealias Handler = @Sendable (TransportRequest) async throws(TransportFailure) -> TransportResponse

    private struct State {
        var requests: [TransportRequest] = []
        var unmatched: [TransportRequest] = []
        var table: RouteTable
        var isShutDown = false
    }

    private let handler: Handler?
    private let state: Guarded<State>

    /// Creates a transport that calls `handler` for requests that no route matches.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
        state = Guarded(State(table: RouteTable(order: .any)))
    }

    /// Creates a transport that has only routes. Add them with `on`.
    ///
    /// - Parameter order: Whether requests must arrive in the order in which their routes were added. Default: any
    ///   order.
    public init(order: Order = .any) {
        handler = nil
        state = Guarded(State(table: RouteTable(order: order)))
    }

    /// Creates a transport that returns the responses in their order. The last one is repeated.
    public convenience init(answers: [TransportResponse]) {
        precondition(!answers.isEmpty, "at least one response is needed")
        let position = Guarded(0)
        self.init { _ in
            position.withLock { position in
                defer { position += 1 }
                return answers[min(position, answers.count - 1)]
            }
        }
    }

    /// Creates a transport that throws `failure` for every request.
    public convenience init(failing failure: TransportFailure) {
        self.init { _ throws(TransportFailure) in throw failure }
    }

    /// Keeps the request and calls the matching route, or the handler.
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
        return try await response.repeated().delivered(as: request.responseBody)
    }

    /// Makes later requests fail with `clientClosed`.
    public func shutdown() async { state.withLock { $0.isShutDown = true } }
}

// MARK: Routes

extension MockTransport {
    /// The order in which requests must arrive.
    public enum Order: Hashable, Sendable {
        /// Any order. The first matching route responds.
        case any
        /// The order of the routes. A route can match only after the routes before it have had their minimum numbers of
        /// requests. Routes before the last matched one no longer match.
        case strict
    }

    /// Adds a route for matching requests.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for any.
    ///   - path: The pattern of the path. `:name` matches one segment, whose decoded value is in ``MatchedRequest``. A
    ///     last segment `*` matches all remaining segments. Other segments are compared after decoding.
    ///   - conditions: Further conditions that the request must meet.
    ///   - times: The number of requests that the route must and may receive. Default: any number.
    ///   - respond: Returns the response, or throws a failure as a network would.
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

    /// Returns the response to a matched request, or throws a failure as a network would.
    public typealias Responder = @Sendable (MatchedRequest) async throws(TransportFailure) -> TransportResponse

    /// Checks that every route had its minimum number of requests, and that a route matched every request.
    ///
    /// - Throws: ``VerificationFailure`` if a route had too few requests, or if a request matched no route.
    public func verify() throws(VerificationFailure) {
        let (unmet, unmatched) = state.withLock { ($0.table.unmet, $0.unmatched) }
        guard unmet.isEmpty, unmatched.isEmpty else {
            throw VerificationFailure(
                unmetExpectations: unmet,
                unmatchedRequests: unmatched.map { "\($0.method.rawValue) \($0.url.redacted)" }
            )
        }
    }

    /// The error thrown by ``MockTransport/verify()``.
    public struct VerificationFailure: Error, Hashable, CustomStringConvertible {
        /// The routes that had fewer requests than required, each as one sentence.
        public let unmetExpectations: [String]

        /// The requests that no route matched: method and redacted URL.
        public let unmatchedRequests: [String]

        /// All unmet expectations and unmatched requests, one on each line.
        public var description: String {
            (unmetExpectations + unmatchedRequests.map { "no route for \($0)" }).joined(separator: "\n")
        }
    }
}

// MARK: Received requests

extension MockTransport {
    /// All requests so far, in the order in which they arrived.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// The requests that failed because no route matched them.
    public var unmatchedRequests: [TransportRequest] { state.withLock { $0.unmatched } }

    /// Whether ``shutdown()`` was called.
    public var isShutDown: Bool { state.withLock { $0.isShutDown } }
}

extension FailureKind {
    /// The failure of a request for which a testing transport has no response.
    public static let unmatchedRequest = Self(rawValue: "unmatchedRequest")
}

extension TransportFailure {
    fileprivate static func unmatched(_ request: TransportRequest, _ reasons: [String]) -> Self {
        let what = "no route matches \(request.method.rawValue) \(request.url.redacted)"
        let why = reasons.isEmpty ? "there are no routes" : reasons.joined(separator: "; ")
        return Self(.unmatchedRequest, delivery: .notSent, message: "\(what): \(why)")
    }
}
