package import Logging
import Synchronization

/// A log handler that keeps its lines.
package struct RecordingLog: LogHandler {
    /// The lines so far: level, message and metadata.
    package final class Lines: Sendable {
        private let state = Mutex<[String]>([])

        package init() {}

        package var all: [String] { state.withLock { $0 } }

        package func append(_ line: String) { state.withLock { $0.append(line) } }
    }

    package let lines: Lines
    package var logLevel = Logger.Level.trace
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    package init(lines: Lines) { self.lines = lines }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        lines.append((["\(event.level)", "\(event.message)"] + metadata).joined(separator: " "))
    }
}
