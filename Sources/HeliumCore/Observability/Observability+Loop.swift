package import HeliumEssentials
internal import Logging

extension Observability {
    /// Reports a job that has held the loop of a client's transport: a line at the level of failures, and the metric `loop.held`.
    ///
    /// - Parameter baseURL: The client's, for the metrics' label `server`.
    /// - Returns: `nil` if neither is on.
    package func longJobReporter(baseURL: URL) -> (@Sendable (Duration) -> Void)? {
        guard logger != nil || metrics != nil else { return nil }
        let instruments = metrics.map {
            Instruments($0, options: measuring, server: (try? Origin(baseURL))?.hostHeader ?? "")
        }
        let (logger, level) = (logger, logging.failures)
        return { duration in
            instruments?.time(.heldLoop, "", "", duration)
            logger?.log(
                level: level,
                "a job blocked the loop, and all transfers of the client with it",
                metadata: ["helium.duration_ms": .string(duration.millisecondText)]
            )
        }
    }
}
