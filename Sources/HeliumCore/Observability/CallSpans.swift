internal import HTTPTypes
internal import Tracing

/// Names and attributes of spans, by OpenTelemetry's semantic conventions for HTTP clients (stable since 1.23): a span of
/// kind client for each attempt, and one of kind internal around them for the call.
enum CallSpans {
    /// `GET /tvshows/:id`; without a template the method alone.
    static func name(_ method: HTTPRequest.Method, _ template: String?) -> String {
        let method = BoundedName.methods.contains(method.rawValue) ? method.rawValue : "HTTP"
        return template.map { "\(method) \($0)" } ?? method
    }

    /// What is known when a span starts.
    static func describe(
        _ span: any Span,
        _ method: HTTPRequest.Method,
        _ template: String?,
        _ url: RequestURL,
        text: LoggedText
    ) {
        span.updateAttributes { attributes in
            let name = BoundedName.of(method)
            attributes["http.request.method"] = name
            if name != method.rawValue { attributes["http.request.method_original"] = method.rawValue }
            attributes["url.full"] = text.url(url)
            if let template { attributes["url.template"] = template }
            attributes["server.address"] = address(url.origin)
            attributes["server.port"] = url.origin.port ?? (url.origin.isSecure ? 443 : 80)
        }
    }

    /// How an attempt ended.
    static func describe(_ span: any Span, _ record: AttemptRecord, _ head: ResponseHead?) {
        switch record.outcome {
        case .answered(let status):
            span.updateAttributes { attributes in
                attributes["http.response.status_code"] = status
                if let head { attributes["network.protocol.version"] = head.version.rawValue }
                if status >= 400 { attributes["error.type"] = String(status) }
            }
            // Its reason is the status: no description.
            if status >= 400 { span.setStatus(SpanStatus(code: .error)) }
        case .failed(let kind):
            fail(span, kind, message: kind.rawValue)
            span.recordError(FailedAttempt(kind: kind, delivery: record.delivery))
        }
    }

    /// How a call ended.
    static func describe(_ span: any Span, _ error: HeliumError?, status: Int?, text: @autoclosure () -> LoggedText) {
        if let status { span.attributes["http.response.status_code"] = status }
        guard let error else { return }
        if error.kind == .unacceptableStatus, let status {
            span.attributes["error.type"] = String(status)
            span.setStatus(SpanStatus(code: .error))
        } else {
            fail(span, error.kind, message: error.kind.rawValue)
        }
        // Without what the server said: spans go further than errors do.
        let text = text()
        span.recordError(
            HeliumError(
                error.kind,
                request: RequestSummary(method: error.request.method, url: text.masked(error.request.url)),
                delivery: error.delivery,
                message: text.masked(error.message)
            )
        )
    }

    private static func fail(_ span: any Span, _ kind: FailureKind, message: String) {
        span.attributes["error.type"] = BoundedName.of(kind)
        span.setStatus(SpanStatus(code: .error, message: message))
    }

    /// The host without the brackets of an IPv6 literal.
    private static func address(_ origin: Origin) -> String {
        origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    }
}

/// What a span tells of an attempt without an answer.
struct FailedAttempt: Error, CustomStringConvertible {
    let kind: FailureKind
    let delivery: DeliveryState

    var description: String { "\(kind), \(delivery.rawValue)" }
}
