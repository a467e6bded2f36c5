/// An update of a subscription: the document and its origin.
public struct LiveUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The whole document after this update.
    public let value: Value

    /// The origin of the document.
    public let origin: LiveOrigin

    /// Whether updates before this one may be missing: intermediate values of an outage, or updates that a slow
    /// consumer did not read in time. The value itself is always complete.
    public internal(set) var followsGap: Bool

    /// The ids of the datastreams whose value or instant differs from the previous update. The first update has all of
    /// them.
    public let changedDatastreams: Set<String>
}

/// The origin of a live update.
public struct LiveOrigin: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the origin.
    public let rawValue: String

    /// Creates an origin from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the origin.
    public var description: String { rawValue }
}

extension LiveOrigin {
    /// The server pushed it.
    public static let push = Self(rawValue: "push")
    /// It was read when the subscription began.
    public static let initial = Self(rawValue: "initial")
    /// It was read after a lost connection was restored, and differs from the known state.
    public static let resynchronised = Self(rawValue: "resynchronised")
    /// It is a datapoint of an outage that was read from the history.
    public static let history = Self(rawValue: "history")
}
