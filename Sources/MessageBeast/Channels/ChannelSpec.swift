public import AppNet

/// A channel that an app needs.
public struct ChannelSpec: Sendable {
    /// The type: a reverse domain name.
    public var type: String

    /// The parameters for requesting its messages; `nil` for the default.
    public var parameters: GeneralParameters?

    /// A filter that excludes messages of the channel from being stored. Default: `nil`, none.
    ///
    /// It applies to everything that the engine fetches after the ``ChannelSyncManager`` was created: full syncs, other
    /// fetches, news of the channel, and the fetch after ``MessageManager/post(_:in:)``. Messages that the app writes, or
    /// refreshes by their ids, are stored. The last manager with a filter for a type decides.
    public var filter: MessageFilter?

    /// Creates a specification of a channel of a type.
    public init(type: String, parameters: GeneralParameters? = nil, filter: MessageFilter? = nil) {
        self.type = type
        self.parameters = parameters
        self.filter = filter
    }
}

/// The channels that an app needs, in the order in which they are synchronized.
public struct ChannelSpecSet: Sendable {
    /// The channels.
    public var specs: [ChannelSpec]

    /// Creates a set of channels.
    public init(_ specs: [ChannelSpec]) { self.specs = specs }
}

/// A channel with the channels of the actions on its messages.
public struct TargetWithActionChannelsSpecSet: Sendable {
    /// The channel of the messages.
    public var target: ChannelSpec

    /// The types of the actions, in the order in which their channels are synchronized.
    public var actionTypes: [String]

    /// Creates a set of a channel and the types of the actions on its messages.
    public init(target: ChannelSpec, actionTypes: [String]) {
        self.target = target
        self.actionTypes = actionTypes
    }
}
