/// An update of a subscription: the document and its origin.
public struct LiveUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The whole document after this update.
    public let value: Value

    /// The origin of the document.
    public let origin: Origin

    /// Whether updates before this one may be missing: intermediate values of an outage, or updates that a slow
    /// consumer did not read in time. The value itself is always complete.
    public internal(set) var followsGap: Bool

    /// The ids of the datastreams whose value or instant differs from the previous update. The first update has all of
    /// them.
    public let changedDatastreams: Set<String>

    /// The origin of an update.
    public enum Origin: String, Hashable, Sendable {
        /// The server pushed it.
        case push
        /// It was read when the subscription began.
        case initial
        /// It was read after a lost connection was restored, and differs from the known state.
        case resynchronised
        /// It is a datapoint of an outage that was read from the history.
        case history
    }
}

/// An update of a feed.
public typealias FeedUpdate = LiveUpdate<Feed>

/// An update of a datastream.
public typealias DatastreamUpdate = LiveUpdate<Datastream>
