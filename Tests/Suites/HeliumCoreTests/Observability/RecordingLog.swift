import HeliumCore
import Logging
import Tracing

/// A log handler that keeps its lines.
struct RecordingLog: LogHandler {
    struct Line: Sendable {
        var level: Logger.Level
        var message: String
        var metadata: [String: String]
    }

    let lines: Recorded<Line>
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        all.merge(metadataProvider?.get() ?? [:]) { $1 }
        all.merge(event.metadata ?? [:]) { $1 }
        lines.append(Line(level: event.level, message: "\(event.message)", metadata: all.mapValues { "\($0)" }))
    }

    /// A logger, and where its lines go.
    static func make(_ level: Logger.Level = .trace) -> (logger: Logger, lines: Recorded<Line>) {
        let lines = Recorded<Line>()
        var logger = Logger(label: "test") { _ in RecordingLog(lines: lines, logLevel: level) }
        logger.logLevel = level
        return (logger, lines)
    }
}

extension Logger.MetadataProvider {
    /// The metadata that a tracer's library provides: the trace's identifier.
    static let trace = Self { ServiceContext.current?.traceParent.map { ["trace_id": "\($0.trace)"] } ?? [:] }
}
