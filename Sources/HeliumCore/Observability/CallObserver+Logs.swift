internal import HTTPTypes
internal import HeliumEssentials
internal import Logging
internal import Tracing

// The log lines of a call: static messages with the facts as metadata. Metadata is built only for lines that are
// written.
extension CallObserver {
    /// Writes a line with the call's identification, under a context so that metadata providers find the trace.
    func log(
        _ level: Logger.Level,
        _ message: Logger.Message,
        context: ServiceContext? = nil,
        _ add: (inout Logger.Metadata) -> Void = { _ in }
    ) {
        guard let logger = client.logger, logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "helium.call": .stringConvertible(number),
            "helium.method": .string(method.rawValue),
            "helium.url": .string(client.text.url(url)),
        ]
        if let template { metadata["helium.template"] = .string(template) }
        add(&metadata)
        guard let context = context ?? span?.context else {
            logger.log(level: level, message, metadata: metadata)
            return
        }
        ServiceContext.withValue(context) { logger.log(level: level, message, metadata: metadata) }
    }

    func logRequest(_ request: TransportRequest, number: Int) {
        let options = client.logging
        guard options.includesFields || options.includesBodies, client.isLogged(options.content) else { return }
        let text = client.text
        log(options.content, "request", context: context) { metadata in
            metadata["helium.attempt"] = .stringConvertible(number)
            metadata["helium.url"] = .string(text.url(request.url))
            if options.includesFields {
                metadata["helium.fields"] = .array(text.fields(request.fields).map { .string($0) })
            }
            guard options.includesBodies, let body = request.body else { return }
            metadata["helium.body_bytes"] = .stringConvertible(body.count)
            metadata["helium.body"] = text.body(body, mediaType: request.fields[.contentType]).map { .string($0) }
        }
    }

    func logAttempt(_ record: AttemptRecord, head: ResponseHead?, body: Data?, context: ServiceContext?) {
        let options = client.logging
        log(options.calls, "attempt finished", context: context) { metadata in
            metadata["helium.attempt"] = .stringConvertible(record.number)
            metadata["helium.duration_ms"] = .string(record.duration.millisecondText)
            metadata["helium.delivery"] = .string(record.delivery.rawValue)
            switch record.outcome {
            case .answered(let status): metadata["helium.status"] = .stringConvertible(status)
            case .failed(let kind): metadata["helium.kind"] = .string(kind.rawValue)
            }
        }
        guard let head, options.includesFields || options.includesBodies, client.isLogged(options.content) else {
            return
        }
        let text = client.text
        log(options.content, "response", context: context) { metadata in
            metadata["helium.attempt"] = .stringConvertible(record.number)
            metadata["helium.status"] = .stringConvertible(head.status)
            if options.includesFields {
                metadata["helium.fields"] = .array(text.fields(head.fields).map { .string($0) })
            }
            guard options.includesBodies, let body else { return }
            metadata["helium.body_bytes"] = .stringConvertible(body.count)
            metadata["helium.body"] = text.body(body, mediaType: head[.contentType]).map { .string($0) }
        }
    }

    func logEnd(status: Int?, error: HeliumError?, duration: Duration) {
        let options = client.logging
        func facts(_ metadata: inout Logger.Metadata) {
            metadata["helium.duration_ms"] = .string(duration.millisecondText)
            metadata["helium.attempts"] = .stringConvertible(attempts)
            if let status { metadata["helium.status"] = .stringConvertible(status) }
        }
        guard let error else { return log(options.calls, "call finished", facts) }
        let isCancelled = error.kind == .cancelled
        log(isCancelled ? options.cancellations : options.failures, isCancelled ? "call cancelled" : "call failed") {
            facts(&$0)
            $0["helium.kind"] = .string(error.kind.rawValue)
            $0["helium.delivery"] = .string(error.delivery.rawValue)
            $0["helium.message"] = .string(client.text.masked(error.message))
            if let phase = error.phase { $0["helium.phase"] = .string(phase.rawValue) }
            if let ceiling = error.ceiling { $0["helium.ceiling"] = .string(ceiling.rawValue) }
        }
    }
}

extension Duration {
    /// The duration in milliseconds.
    var inMilliseconds: Double { Double(clampedNanoseconds) / 1_000_000 }

    /// The duration in milliseconds with three decimals: `12.345`.
    var millisecondText: String {
        let microseconds = clampedNanoseconds / 1000
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
