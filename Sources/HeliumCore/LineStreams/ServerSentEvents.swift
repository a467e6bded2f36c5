internal import HTTPTypes

/// The events of a `text/event-stream`, over as many connections as it takes.
///
/// The first event asked for connects. When the server ends the stream, or the connection fails in a way that may pass,
/// the sequence connects again as its ``ReconnectPolicy`` says and tells the server the last event that was taken. It
/// ends with status 204, or when the policy has it so; it fails when connecting again can't help (another status,
/// another media type, a ceiling, a refused identity), or too often did not.
///
/// Each connection is a call of its own, freshly authorized. ``PhaseTimeouts/total`` limits the way to each answer's
/// head, ``PhaseTimeouts/idle`` the silence after it: any byte counts as life, a comment's too.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the connection, or the wait for one, at once.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let source: EventSource
    private let board = StatusBoard()

    init(_ source: EventSource) { self.source = source }

    /// How the stream is doing; with several iterators, that of the newest.
    public var status: Status { board.status }

    /// An iterator with connections of its own, which connects when it is first asked.
    public func makeAsyncIterator() -> Iterator {
        Iterator(feed: EventFeed(source, lease: board.lease(lastEventID: source.options.lastEventID)))
    }

    /// Takes the events one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var feed: EventFeed

        /// The next event, or `nil` when the stream is over for good.
        ///
        /// - Throws: ``HeliumError``, once, then the sequence is over; `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> ServerSentEvent? { try await feed.next() }
    }
}

extension RequestBuilder {
    /// The answer as server-sent events, which connects again by itself.
    ///
    /// Sends `Accept: text/event-stream` and `Cache-Control: no-store` unless the request has such fields of its own.
    public func serverSentEvents(_ options: ServerSentEventOptions = ServerSentEventOptions()) -> ServerSentEvents {
        let builder =
            fieldByDefault(.accept, "text/event-stream")
            .fieldByDefault(.cacheControl, "no-store")
            // Connecting again is decided here alone: two back-offs would multiply.
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
