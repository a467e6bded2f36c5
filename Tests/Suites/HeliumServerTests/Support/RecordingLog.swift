import Logging
import Synchronization

/// A log handler that keeps its lines.
struct RecordingLog: LogHandler {
    /// The lines so far: level, message and metadata.
    final class Lines: Sendable {
        private let state = Mutex<[String]>([])

        var all: [String] { state.withLock { $0 } }

        func append(_ line: String) { state.withLock { $0.append(line) } }
    }

    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        lines.append((["\(event.level)", "\(event.message)"] + metadata).joined(separator: " "))
    }
}
