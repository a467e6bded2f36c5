/// Stands in the way of calls: sees and changes requests and answers, answers itself, or tries again.
///
/// ```swift
/// struct Tenancy: Interceptor {
///     let tenant: String
///
///     func intercept(
///         _ request: TransportRequest,
///         context: InterceptionContext,
///         next: @escaping Next
///     ) async throws -> TransportResponse {
///         var request = request
///         if let name = HTTPField.Name("X-Tenant") { request.fields[name] = tenant }
///         return try await next(request)
///     }
/// }
///
/// var options = ClientOptions()
/// options.attemptInterceptors = [Tenancy(tenant: "kitchen")]
/// options.interceptors = [
///     ClosureInterceptor { request, context, next in
///         let response = try await next(request)
///         print(context.template, response.head.status)
///         return response
///     }
/// ]
/// ```
///
/// There are two places for them, both lists in ``ClientOptions`` whose first element is the outermost:
///
/// 1. ``ClientOptions/interceptors``: once per call, outside of redirects and retries. For caches, tenancy, tests.
/// 2. ``ClientOptions/attemptInterceptors``: once per attempt, inside of retries and redirects, outside of
///    authorization: what they change is signed.
///
/// In both places the request is complete but for the authorizer's credential, which no interceptor sees. Answers come
/// as they are, whatever their status; the call judges after the outermost. After a redirect the interceptors of
/// attempts see requests to other origins as well.
public protocol Interceptor: Sendable {
    /// The rest of the way. May be called never, once, or several times, one after the other. Of several calls by an
    /// interceptor of attempts, ``AttemptRecord`` tells of the last.
    ///
    /// It throws ``HeliumError``; `CancellationError` if the task was cancelled.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Does what it does, by default by calling `next`.
    ///
    /// A streamed answer that is not returned must be cancelled (``BodyStream/cancel()``) or read.
    ///
    /// - Throws: Anything. What is no ``HeliumError`` or `CancellationError` becomes the cause of a failure of kind
    ///   ``FailureKind/interceptorFailed``.
    func intercept(
        _ request: TransportRequest,
        context: InterceptionContext,
        next: @escaping Next
    ) async throws -> TransportResponse
}

/// What an interceptor knows of the call.
public struct InterceptionContext: Sendable {
    /// The path as it was written, placeholders unfilled, without a query: of low cardinality, fit to be a label.
    public let template: String

    /// The attempt's number, from 1; of an interceptor of calls always 1.
    public let attempt: Int

    /// By when the call must be over.
    public let deadline: Deadline

    /// A context: for tests of interceptors.
    public init(template: String, attempt: Int = 1, deadline: Deadline) {
        self.template = template
        self.attempt = attempt
        self.deadline = deadline
    }
}

/// An interceptor made of a closure.
public struct ClosureInterceptor: Interceptor {
    private let body:
        @Sendable (TransportRequest, InterceptionContext, @escaping Next) async throws -> TransportResponse

    /// An interceptor that runs `body`.
    public init(
        _ body:
            @escaping @Sendable (TransportRequest, InterceptionContext, @escaping Next) async throws ->
            TransportResponse
    ) {
        self.body = body
    }

    /// Runs the closure.
    public func intercept(
        _ request: TransportRequest,
        context: InterceptionContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        try await body(request, context, next)
    }
}
