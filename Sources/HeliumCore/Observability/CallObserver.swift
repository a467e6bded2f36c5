internal import HTTPTypes
package import HeliumEssentials
internal import Logging
internal import Synchronization
package import Tracing

/// Observes one call and reports it to the logger, the metrics and the tracer of its client.
///
/// The pipeline reports in this order: for each attempt ``willStartAttempt(_:request:)`` before it is authorized and
/// ``didEndAttempt(_:head:timings:sentBytes:receivedBytes:body:)``, between attempts ``willRetry(_:pause:)``, and
/// finally ``didEnd(status:error:)``. However a call ends, the last report closes all open spans.
package final class CallObserver: Sendable {
    let client: ClientObserver
    let number: UInt64
    let method: HTTPRequest.Method
    /// The method as a label.
    let methodName: String
    let template: String?
    let url: RequestURL
    let started: Duration
    let span: (any Span)?
    private let state = Guarded(State())

    private struct State {
        var attempt: ObservedAttempt?
        var attempts = 0
        var hasEnded = false
    }

    init(
        _ client: ClientObserver,
        number: UInt64,
        method: HTTPRequest.Method,
        template: String?,
        url: RequestURL
    ) {
        self.client = client
        self.number = number
        self.method = method
        methodName = BoundedName.of(method)
        self.template = template
        self.url = url
        started = client.clock.uptime
        span = client.tracer.map { tracer in
            tracer.startSpan(
                CallSpans.name(method, template),
                context: ServiceContext.current ?? .topLevel,
                ofKind: .internal,
                at: SpanInstant(client.clock)
            )
        }
        if let span, span.isRecording { CallSpans.describe(span, method, template, url, text: client.text) }
        log(client.logging.calls, "call started")
    }

    deinit {
        // The end was not reported. The spans must still be closed.
        let attempt = state.withLock { $0.hasEnded ? nil : $0.attempt }
        attempt?.span?.end(at: SpanInstant(client.clock))
        if !state.withLock({ $0.hasEnded }) { span?.end(at: SpanInstant(client.clock)) }
    }
}

// MARK: Reports

extension CallObserver {
    /// Reports the start of an attempt: starts its span and writes the trace context into the request, so that a
    /// signature covers it.
    package func willStartAttempt(_ number: Int, request: inout TransportRequest) {
        var attempt = ObservedAttempt(request)
        if let tracer = client.tracer {
            let span: any Span = tracer.startSpan(
                CallSpans.name(method, template),
                context: self.span?.context ?? .topLevel,
                ofKind: .client,
                at: SpanInstant(client.clock)
            )
            if span.isRecording {
                CallSpans.describe(span, request.method, template, request.url, text: client.text)
                if number > 1 { span.attributes["http.request.resend_count"] = number - 1 }
            }
            attempt.span = span
            if client.tracing.propagatesContext {
                let propagator: any Instrument = client.tracing.propagator ?? tracer
                propagator.inject(span.context, into: &request.fields, using: FieldInjector())
            }
        }
        let previous = state.withLock { state in
            state.attempts = max(state.attempts, number)
            defer { state.attempt = attempt }
            return state.attempt
        }
        previous?.span?.end(at: SpanInstant(client.clock))
        logRequest(request, number: number)
    }

    /// Reports the end of an attempt, with a response or a failure.
    ///
    /// - Parameters:
    ///   - record: The attempt's outcome.
    ///   - head: The head of the response.
    ///   - timings: The timings of the attempt.
    ///   - sentBytes: The number of bytes of the request body that were sent; `nil` for the length that the request
    ///     states.
    ///   - receivedBytes: The number of bytes of the response body; `nil` for the length of `body`.
    ///   - body: The collected response body, for logs that include bodies.
    package func didEndAttempt(
        _ record: AttemptRecord,
        head: ResponseHead?,
        timings: TransferTimings,
        sentBytes: Int64? = nil,
        receivedBytes: Int64? = nil,
        body: Data? = nil
    ) {
        let attempt = state.withLock { state in
            defer { state.attempt = nil }
            return state.attempt
        }
        if let span = attempt?.span {
            if span.isRecording { CallSpans.describe(span, record, head) }
            span.end(at: SpanInstant(client.clock))
        }
        if let instruments = client.instruments {
            let outcome =
                switch record.outcome {
                case .answered(let status): BoundedName.of(status: status)
                case .failed(let kind): BoundedName.of(kind)
                }
            instruments.count(.attempts, methodName, outcome)
            let durations = PhaseDurations(timings)
            for (name, duration) in durations.all {
                // A stream is returned with its head, so the time of its body is not known here.
                if let duration, attempt?.isStream != true || (name != "body" && name != "total") {
                    instruments.time(.attemptDuration, methodName, name, duration)
                }
            }
            if record.delivery != .notSent, let bytes = sentBytes ?? attempt?.bodyBytes, bytes > 0 {
                instruments.count(.requestBytes, methodName, by: bytes)
            }
            if let bytes = receivedBytes ?? body.map({ Int64($0.count) }), bytes > 0 {
                instruments.count(.responseBytes, methodName, by: bytes)
            }
        }
        logAttempt(record, head: head, body: body, context: attempt?.span?.context)
    }

    /// Reports that another attempt will follow after a delay.
    package func willRetry(_ reason: RetryReason, pause: Duration) {
        client.instruments?.count(.retries, BoundedName.of(reason))
        if let span, span.isRecording {
            span.addEvent(
                SpanEvent(
                    name: "retry",
                    at: SpanInstant(client.clock),
                    attributes: [
                        "helium.reason": .string(reason.rawValue), "helium.pause_ms": .double(pause.inMilliseconds),
                    ]
                )
            )
        }
        log(client.logging.retries, "call will be retried") {
            $0["helium.attempt"] = .stringConvertible(self.attempts)
            $0["helium.reason"] = .string(reason.rawValue)
            $0["helium.pause_ms"] = .string(pause.millisecondText)
        }
    }

    /// Reports the end of the call. Later reports of its end are ignored.
    ///
    /// - Parameters:
    ///   - status: The last response's status; `nil` if there was none.
    ///   - error: The call's failure, including that of decoding; `nil` for a success.
    package func didEnd(status: Int?, error: HeliumError?) {
        let (isFirst, attempt) = state.withLock { state in
            defer {
                state.hasEnded = true
                state.attempt = nil
            }
            return (!state.hasEnded, state.attempt)
        }
        guard isFirst else { return }
        if let span = attempt?.span {
            // The attempt did not reach the transport, or its end was not reported.
            if let error, span.isRecording { CallSpans.describe(span, error, status: nil, text: client.text) }
            span.end(at: SpanInstant(client.clock))
        }
        let status = status ?? error?.status
        if let span {
            if span.isRecording { CallSpans.describe(span, error, status: status, text: client.text) }
            span.end(at: SpanInstant(client.clock))
        }
        let duration = client.clock.uptime - started
        if let instruments = client.instruments {
            let outcome = error.map { $0.kind == .cancelled ? "cancelled" : "failure" } ?? "success"
            instruments.count(.calls, methodName, outcome)
            instruments.time(.callDuration, methodName, outcome, duration)
            if let error, error.kind != .cancelled { instruments.count(.failures, BoundedName.of(error.kind)) }
        }
        logEnd(status: status, error: error, duration: duration)
    }
}

// MARK: Context

extension CallObserver {
    /// The context of the current attempt, or otherwise of the call; `nil` without a tracer.
    package var context: ServiceContext? { state.withLock { $0.attempt }?.span?.context ?? span?.context }

    /// Runs an operation under the context of the current attempt, so that its spans and log lines belong to the
    /// attempt.
    package func withContext<Value: Sendable, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let context else { return try await operation() }
        let result: Result<Value, Failure> = await ServiceContext.withValue(context) {
            do throws(Failure) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The number of attempts that have begun.
    var attempts: Int { state.withLock { $0.attempts } }
}

/// The facts about an attempt that are needed at its end.
struct ObservedAttempt: Sendable {
    let bodyBytes: Int64?
    let isStream: Bool
    var span: (any Span)?

    init(_ request: TransportRequest) {
        bodyBytes = request.upload.map(\.length) ?? request.body.map { Int64($0.count) }
        if case .stream = request.responseBody { isStream = true } else { isStream = false }
    }
}
