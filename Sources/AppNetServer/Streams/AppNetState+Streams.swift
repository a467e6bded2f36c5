internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// The limits that all streams share.
enum LiveLimits {
    /// The maximum number of bytes queued for a slow client. The connection is closed when it is exceeded.
    static let queueBytes = 4 * 1024 * 1024
    /// The maximum number of open WebSockets.
    static let connections = 1_024
    /// The maximum number of open connections whose handshake is not complete.
    static let unauthenticatedConnections = 256
    /// The maximum size of a message from a WebSocket's client in bytes. Such messages are discarded.
    static let messageBytes = 64 * 1024
}

extension AppNetState {
    /// The bytes that are sent over chunked HTTP after a time without events (Docs/Protocols/AppNet.md §2.13).
    var keepAlive: ReplyStream.KeepAlive {
        ReplyStream.KeepAlive(interval: configuration.keepAlive, bytes: ChunkedSink.separator)
    }

    /// Connects `sink` to an app stream with the options of the query.
    ///
    /// - Parameter token: The row id of the token of the request.
    /// - Throws: ``AppNetFailure`` with 401 if the token was deleted meanwhile, and with 404 if the stream was.
    func open(
        _ stream: AppStreamRecord,
        _ sink: any FrameSink,
        _ query: FormFields,
        of token: Int64,
        display: GeneralParameters
    ) throws(AppNetFailure) {
        try events.appStreams.connect(
            stream,
            sink,
            token: token,
            purges: query.flag("purge") ?? false,
            deletesItself: query.flag("auto_delete") ?? false,
            display: display,
            at: microseconds
        )
        try events.checkIsCurrent(token)
        try events.checkIsCurrent(stream.token)
    }

    /// Disconnects a consumer, and deletes its stream if the stream deletes itself.
    func close(_ stream: AppStreamRecord, _ sink: any FrameSink) {
        guard events.appStreams.disconnect(stream.id, sink, at: microseconds) else { return }
        Task { [self] in
            do {
                try await store.write { database in
                    try AppStreamTable(database: database).delete(stream.id)
                } publish: { [events] _, _ in
                    events.appStreams.end(stream.id)
                }
            } catch {
                let text = StoreFault.text(of: error)
                logger.error("An app stream could not be deleted", metadata: ["error": "\(text)"])
            }
        }
    }

    /// The microseconds since 1970 by the server's clock.
    var microseconds: Int64 {
        configuration.clock.microseconds() + values.withLock { $0.clockOffset } * 1_000_000
    }
}
