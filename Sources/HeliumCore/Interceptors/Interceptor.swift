/// A hook around calls. An interceptor can read and change requests and responses, return a response itself, or try
/// again.
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
/// ``ClientOptions`` has two lists of interceptors, each with the outermost interceptor first:
///
/// 1. ``ClientOptions/interceptors``: once per call, outside of redirects and retries. Use it for caches, tenancy and
///    tests.
/// 2. ``ClientOptions/attemptInterceptors``: once per attempt, inside of retries and redirects and outside of
///    authorization. Their changes are signed.
///
/// In both lists, the request is complete except for the authorizer's credentials, which interceptors do not see.
/// Responses are passed on whatever their status; the call checks the status after the outermost interceptor. After a
/// redirect, the interceptors of attempts also see requests to other origins.
public protocol Interceptor: Sendable {
    /// The rest of the call. It may be called never, once, or several times in sequence. If an interceptor of attempts
    /// calls it several times, ``AttemptRecord`` describes the last call.
    ///
    /// It throws ``HeliumError``; `CancellationError` if the task was cancelled.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Handles a request, usually by calling `next`.
    ///
    /// A streamed response that is not returned must be cancelled (``BodyStream/cancel()``) or read.
    ///
    /// - Throws: Any error. One that is neither a ``HeliumError`` nor a `CancellationError` becomes the underlying
    ///   error of ``FailureKind/interceptorFailed``.
    func intercept(
        _ request: TransportRequest,
        context: InterceptionContext,
        next: @escaping Next
    ) async throws -> TransportResponse
}

/// The state of the call that an interceptor handles.
public struct InterceptionContext: Sendable {
    /// The path as it was written, with unfilled placeholders and without a query. It has few different values, so it
    /// is suitable as a label.
    public let template: String

    /// The attempt's number, from 1; always 1 for an interceptor of calls.
    public let attempt: Int

    /// The deadline of the call.
    public let deadline: Deadline

    /// Creates a context, for tests of interceptors.
    public init(template: String, attempt: Int = 1, deadline: Deadline) {
        self.template = template
        self.attempt = attempt
        self.deadline = deadline
    }
}

/// An interceptor that consists of a closure.
public struct ClosureInterceptor: Interceptor {
    private let body:
        @Sendable (TransportRequest, InterceptionContext, @escaping Next) async throws -> TransportResponse

    /// Creates an interceptor that runs `body`.
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
