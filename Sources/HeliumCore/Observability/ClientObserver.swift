internal import CoreMetrics
package import HTTPTypes
internal import Logging
internal import Synchronization
internal import Tracing

/// Observes the calls of one client. It is created only if logs, metrics or traces are enabled.
package final class ClientObserver: Sendable {
    let logger: Logger?
    let logging: Observability.LogOptions
    let instruments: Instruments?
    let tracer: (any Tracer)?
    let tracing: Observability.TraceOptions
    let clock: any HeliumClock
    private let secrets: @Sendable () -> [String]
    private let calls = Atomic<UInt64>(0)

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - observability: The logs, metrics and traces that are enabled.
    ///   - origin: The client's origin, for the metrics' label `server`.
    ///   - clock: The clock for durations and for the times of spans.
    ///   - secrets: Returns the secrets to mask, such as an authorizer's `secrets`. Called whenever text is written
    ///     that might contain them.
    /// - Returns: `nil` if everything is disabled, so that calls are not observed.
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

    /// Reports the start of a call: starts its span and writes its log line.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - template: The path as it was written, with unfilled placeholders and without a query. It names the call's
    ///     spans, so the number of different templates must be small. `nil` if there is none.
    ///   - url: The URL of the first attempt.
    package func begin(_ method: HTTPRequest.Method, template: String?, url: RequestURL) -> CallObserver {
        let number = calls.add(1, ordering: .relaxed).newValue
        // The path itself may contain a credential.
        let template = template.map { text.masked($0) }
        return CallObserver(self, number: number, method: method, template: template, url: url)
    }

    /// Text with the current secrets masked.
    var text: LoggedText { LoggedText(secrets: secrets()) }

    /// Returns whether a line of this level would be written.
    func isLogged(_ level: Logger.Level) -> Bool { logger.map { $0.logLevel <= level } ?? false }
}
