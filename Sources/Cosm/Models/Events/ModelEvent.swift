/// Something that happened to a model or a collection.
public struct ModelEvent: Sendable {
    /// What happened.
    public let kind: Kind

    /// What became different by it.
    public let changes: ModelChanges

    /// Why, of a failure and of a subscription that ended by itself.
    public let error: (any Error)?

    /// How many events before this one were dropped, because the reader of the sequence was slow; 0 mostly.
    ///
    /// What the model shows is current all the same.
    public internal(set) var omitted = 0

    init(_ kind: Kind, changes: ModelChanges = ModelChanges(), error: (any Error)? = nil) {
        self.kind = kind
        self.changes = changes
        self.error = error
    }
}

extension ModelEvent {
    /// What happened, as a name from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let rawValue: String

        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind's name.
        public var description: String { rawValue }
    }
}

extension ModelEvent.Kind {
    /// A fetch has succeeded, the model's own or one of those it belongs to.
    public static let fetched = Self(rawValue: "fetched")
    /// A fetch failed.
    public static let fetchFailed = Self(rawValue: "fetchFailed")
    /// A save has succeeded.
    public static let saved = Self(rawValue: "saved")
    /// A save failed; what was unsaved still is.
    public static let saveFailed = Self(rawValue: "saveFailed")
    /// The model was deleted on the server.
    public static let deleted = Self(rawValue: "deleted")
    /// A deletion failed.
    public static let deleteFailed = Self(rawValue: "deleteFailed")
    /// The server confirmed a subscription.
    public static let subscribed = Self(rawValue: "subscribed")
    /// A subscription was ended: by ``CosmSubscribable/unsubscribe()``, or, with an error, by the server or a refusal.
    public static let unsubscribed = Self(rawValue: "unsubscribed")
    /// A live update has arrived.
    public static let updated = Self(rawValue: "updated")
}

/// What a fetch, a save or a live update made different.
public struct ModelChanges: Hashable, Sendable {
    /// The names of the members whose values changed, as they are in JSON.
    public var members: Set<String> = []

    /// The ids of the children that are new here; of datapoints the stamps.
    public var insertedChildren: [String] = []

    /// The ids of the children that were changed in place.
    public var updatedChildren: [String] = []

    /// The ids of the children that are gone.
    public var removedChildren: [String] = []

    /// How a live update was learned; `nil` for everything else.
    public var origin: Origin?

    /// Whether live updates before this one may be missing. What the model shows is whole all the same.
    public var followsGap = false

    /// No changes.
    public init() {}

    /// Whether nothing is different.
    public var isEmpty: Bool {
        members.isEmpty && insertedChildren.isEmpty && updatedChildren.isEmpty && removedChildren.isEmpty
    }
}

extension ModelChanges {
    /// How a live update was learned, as ``LiveUpdate/Origin`` says it.
    public struct Origin: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// An origin by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }
}

extension ModelChanges.Origin {
    /// The server told it.
    public static let push = Self(rawValue: "push")
    /// It was read when the subscription began.
    public static let initial = Self(rawValue: "initial")
    /// It was read after a lost connection was restored.
    public static let resynchronised = Self(rawValue: "resynchronised")
    /// It is a datapoint of the time without a connection, read from the history.
    public static let history = Self(rawValue: "history")
}
