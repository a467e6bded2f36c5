internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Ceilings that all streams share.
enum LiveLimits {
    /// Bytes that may wait for a slow client before its connection is closed.
    static let queueBytes = 4 * 1024 * 1024
    /// Open WebSockets.
    static let connections = 1_024
    /// Open connections whose handshake has not come, or is not decided on.
    static let unauthenticatedConnections = 256
    /// The longest message that a WebSocket's client may send; it has nothing to say.
    static let messageBytes = 64 * 1024
}

extension AppNetState {
    /// What is sent over chunked HTTP where nothing else is (§2.13).
    var keepAlive: ReplyStream.KeepAlive {
        ReplyStream.KeepAlive(interval: configuration.keepAlive, bytes: ChunkedSink.separator)
    }

    /// Lets `sink` consume an app stream, as the connection's query says.
    func open(_ stream: AppStreamRecord, _ sink: any LiveSink, _ query: FormFields, display: GeneralParameters) {
        events.appStreams.connect(
            stream.id,
            sink,
            purges: query.flag("purge") ?? false,
            deletesItself: query.flag("auto_delete") ?? false,
            display: display,
            at: microseconds
        )
    }

    /// Notes that a consumer is gone, and deletes a stream that goes with it.
    func close(_ stream: AppStreamRecord, _ sink: any LiveSink) {
        guard events.appStreams.disconnect(stream.id, sink, at: microseconds) else { return }
        Task { [self] in
            do {
                try await store.write { database in
                    try AppStreamTable(database: database).delete(stream.id)
                } publish: { [events] _, _ in
                    events.appStreams.end(stream.id)
                }
            } catch {
                logger.error("An app stream could not be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Microseconds since 1970 by the server's clock.
    var microseconds: Int64 {
        configuration.clock.microseconds() + values.withLock { $0.clockOffset } * 1_000_000
    }
}
