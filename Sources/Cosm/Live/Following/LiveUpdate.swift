/// An update of a subscription: the document, and how the update was learned.
public struct LiveUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The whole document as it is by this update.
    public let value: Value

    /// How it was learned.
    public let origin: Origin

    /// Whether updates before this one may be missing: in-between values of an outage, or what a slow consumer has not taken
    /// in time. The value itself is whole all the same.
    public internal(set) var followsGap: Bool

    /// The datastreams whose value or instant is another than by the update before; all of them at the first.
    public let changedDatastreams: Set<String>

    /// How an update was learned.
    public enum Origin: String, Hashable, Sendable {
        /// The server told it.
        case push
        /// It was read when the subscription began.
        case initial
        /// It was read after a lost connection was restored, and differs from what was known.
        case resynchronised
        /// It is a datapoint of the time without a connection, read from the history.
        case history
    }
}

/// An update of a feed.
public typealias FeedUpdate = LiveUpdate<Feed>

/// An update of a datastream.
public typealias DatastreamUpdate = LiveUpdate<Datastream>
