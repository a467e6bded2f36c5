/// An event of a model or a collection.
public struct ModelEvent: Sendable {
    /// The kind of the event.
    public let kind: Kind

    /// The changes that the event made.
    public let changes: ModelChanges

    /// The error of a failure, or of a subscription that this side did not end; otherwise `nil`.
    public let error: (any Error)?

    /// The number of events before this one that were dropped because the reader was slow. It is normally 0.
    ///
    /// The members of the model are current in any case.
    public internal(set) var omitted = 0

    init(_ kind: Kind, changes: ModelChanges = ModelChanges(), error: (any Error)? = nil) {
        self.kind = kind
        self.changes = changes
        self.error = error
    }
}

extension ModelEvent {
    /// A kind of event. More kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }
}

extension ModelEvent.Kind {
    /// A fetch of the model, or of an object that it belongs to, has succeeded.
    public static let fetched = Self(rawValue: "fetched")
    /// A fetch has failed.
    public static let fetchFailed = Self(rawValue: "fetchFailed")
    /// A save has succeeded.
    public static let saved = Self(rawValue: "saved")
    /// A save has failed. The changes remain unsaved.
    public static let saveFailed = Self(rawValue: "saveFailed")
    /// The model was deleted on the server.
    public static let deleted = Self(rawValue: "deleted")
    /// A deletion has failed.
    public static let deleteFailed = Self(rawValue: "deleteFailed")
    /// The server has confirmed a subscription.
    public static let subscribed = Self(rawValue: "subscribed")
    /// A subscription has ended: through ``CosmSubscribable/unsubscribe()``, or with an error by the server.
    public static let unsubscribed = Self(rawValue: "unsubscribed")
    /// A live update has arrived.
    public static let updated = Self(rawValue: "updated")
}

/// The changes that a fetch, a save or a live update made.
public struct ModelChanges: Hashable, Sendable {
    /// The names, as in JSON, of the members whose values changed.
    public var members: Set<String> = []

    /// The ids of the children that were inserted. The ids of datapoints are their timestamps.
    public var insertedChildren: [String] = []

    /// The ids of the children that were updated in place.
    public var updatedChildren: [String] = []

    /// The ids of the children that were removed.
    public var removedChildren: [String] = []

    /// The origin of a live update; `nil` for other changes.
    public var origin: LiveOrigin?

    /// Whether live updates before this one may be missing. The members of the model are complete in any case.
    public var followsGap = false

    /// Creates a value without changes.
    public init() {}

    /// Whether there are no changes.
    public var isEmpty: Bool {
        members.isEmpty && insertedChildren.isEmpty && updatedChildren.isEmpty && removedChildren.isEmpty
    }
}
