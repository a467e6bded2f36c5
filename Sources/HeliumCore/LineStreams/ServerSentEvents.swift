internal import HTTPTypes

/// The events of a `text/event-stream`, over several connections if necessary.
///
/// Requesting the first event connects. When the server ends the stream, or the connection fails with a temporary
/// error, the sequence connects again according to its ``ReconnectPolicy`` and sends the id of the last event taken. It
/// ends on status 204, or when the policy does not connect again. It fails when connecting again can't help (another
/// status, another media type, an exceeded limit, rejected credentials), or after too many failures in a row.
///
/// Each connection is a separate call and is authorized again. ``PhaseTimeouts/total`` limits the time until each
/// response's head has arrived, and ``PhaseTimeouts/idle`` the time without bytes after it. Any byte counts, including
/// those of comments.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the connection, or the wait for one, at once.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let source: EventSource
    private let board = StatusBoard()

    init(_ source: EventSource) { self.source = source }

    /// The status of the stream; with several iterators, that of the newest.
    public var status: Status { board.status }

    /// Creates an iterator with connections of its own, which connects when its first event is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: EventFeed(source, lease: board.lease(lastEventID: source.options.lastEventID)))
    }

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var feed: EventFeed

        /// Returns the next event, or `nil` when the stream has ended and does not connect again.
        ///
        /// - Throws: ``HeliumError``, once, after which the sequence has ended; `CancellationError` if the task was
        ///   cancelled.
        public mutating func next() async throws -> ServerSentEvent? { try await feed.next() }
    }
}

extension RequestBuilder {
    /// Returns the response as server-sent events. The sequence connects again by itself.
    ///
    /// Sends `Accept: text/event-stream` and `Cache-Control: no-store` unless the request has such fields of its own.
    public func serverSentEvents(_ options: ServerSentEventOptions = ServerSentEventOptions()) -> ServerSentEvents {
        let builder =
            fieldByDefault(.accept, "text/event-stream")
            .fieldByDefault(.cacheControl, "no-store")
            // Only the sequence connects again. With retries of the call as well, the two back-offs would multiply.
            .retry(.never)
        return ServerSentEvents(
            EventSource(options: options, clock: pipeline.clock, pause: pipeline.pause) { lastEventID in
                guard let lastEventID else { return try await builder.openStream() }
                return try await builder.field(.lastEventID, lastEventID).openStream()
            }
        )
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self(constant: "Last-Event-ID")
}
