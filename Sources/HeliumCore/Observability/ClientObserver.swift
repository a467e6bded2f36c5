internal import CoreMetrics
package import HTTPTypes
internal import Logging
internal import Synchronization
internal import Tracing

/// What watches the calls of one client: made only if something is on.
package final class ClientObserver: Sendable {
    let logger: Logger?
    let logging: Observability.LogOptions
    let instruments: Instruments?
    let tracer: (any Tracer)?
    let tracing: Observability.TraceOptions
    let clock: any HeliumClock
    private let secrets: @Sendable () -> [String]
    private let calls = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - observability: What to tell, and to whom.
    ///   - origin: The client's, for the metrics' label `server`.
    ///   - clock: Gives durations, and the times of spans.
    ///   - secrets: What must not show, asked for whenever text is written that might hold it: an authorizer's `secrets`.
    /// - Returns: `nil` if all is off: then there is nothing to do for a call.
    package init?(
        _ observability: Observability,
        origin: Origin,
        clock: any HeliumClock,
        secrets: @escaping @Sendable () -> [String] = { [] }
    ) {
        guard !observability.isSilent else { return nil }
        logger = observability.logger
        logging = observability.logging
        instruments = observability.metrics.map {
            Instruments($0, options: observability.measuring, server: origin.hostHeader)
        }
        tracer = observability.tracer
        tracing = observability.tracing
        self.clock = clock
        self.secrets = secrets
    }

    /// A call begins: its span, and its line in the log.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - template: The path as it was written, placeholders unfilled and without a query: it names the call's spans, so
    ///     it must be one of few. `nil` where there is none.
    ///   - url: Where the first attempt goes.
    package func begin(_ method: HTTPRequest.Method, template: String?, url: RequestURL) -> CallObserver {
        let number = calls.add(1, ordering: .relaxed).newValue
        // Somebody may have written a credential into the path itself.
        let template = template.map { text.masked($0) }
        return CallObserver(self, number: number, method: method, template: template, url: url)
    }

    /// Text with what must not show masked, as of now.
    var text: LoggedText { LoggedText(secrets: secrets()) }

    /// Whether a line of this level would be written.
    func isLogged(_ level: Logger.Level) -> Bool { logger.map { $0.logLevel <= level } ?? false }
}
