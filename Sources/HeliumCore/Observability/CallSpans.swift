internal import HTTPTypes
internal import Tracing

/// The names and attributes of spans, following OpenTelemetry's semantic conventions for HTTP clients (stable since
/// 1.23). Each attempt has a span of kind client, within a span of kind internal for the call.
enum CallSpans {
    /// Returns a span name such as `GET /tvshows/:id`, or the method alone if there is no template.
    static func name(_ method: HTTPRequest.Method, _ template: String?) -> String {
        let method = BoundedName.methods.contains(method.rawValue) ? method.rawValue : "HTTP"
        return template.map { "\(method) \($0)" } ?? method
    }

    /// Sets the attributes that are known when a span starts.
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

    /// Sets the attributes and the status of a finished attempt.
    static func describe(_ span: any Span, _ record: AttemptRecord, _ head: ResponseHead?) {
        switch record.outcome {
        case .answered(let status):
            span.updateAttributes { attributes in
                attributes["http.response.status_code"] = status
                if let head { attributes["network.protocol.version"] = head.version.rawValue }
                if status >= 400 { attributes["error.type"] = String(status) }
            }
            // The status is the reason, so no description is needed.
            if status >= 400 { span.setStatus(SpanStatus(code: .error)) }
        case .failed(let kind):
            fail(span, kind, message: kind.rawValue)
            span.recordError(FailedAttempt(kind: kind, delivery: record.delivery))
        }
    }

    /// Sets the attributes and the status of a finished call.
    static func describe(_ span: any Span, _ error: HeliumError?, status: Int?, text: @autoclosure () -> LoggedText) {
        if let status { span.attributes["http.response.status_code"] = status }
        guard let error else { return }
        if error.kind == .unacceptableStatus, let status {
            span.attributes["error.type"] = String(status)
            span.setStatus(SpanStatus(code: .error))
        } else {
            fail(span, error.kind, message: error.kind.rawValue)
        }
        // Leaves out the server's texts, because spans are passed on further than errors.
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

    /// Returns the host without the brackets of an IPv6 literal.
    private static func address(_ origin: Origin) -> String {
        origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    }
}

/// The error of an attempt without a response, as recorded in a span.
struct FailedAttempt: Error, CustomStringConvertible {
    let kind: FailureKind
    let delivery: DeliveryState

    var description: String { "\(kind), \(delivery.rawValue)" }
}
