public import AppNet

/// A hashtag and the messages that have it.
public struct HashtagInstances: Hashable, Sendable {
    /// The name without `#`, in its most recent spelling.
    public let name: String

    /// The ids of the messages, newest display date first.
    public internal(set) var messageIDs: [Message.ID]
}

/// An annotation type and the messages that have annotations of it.
public struct AnnotationInstances: Hashable, Sendable {
    /// A message and the number of its annotations of the type.
    public struct Use: Hashable, Sendable {
        /// The id of the message.
        public let messageID: Message.ID
        /// The number of annotations.
        public let count: Int
    }

    /// The type.
    public let type: String

    /// The messages, newest display date first.
    public let uses: [Use]
}

/// A place and the messages that were written there.
public struct DisplayLocationInstances: Hashable, Sendable {
    /// The place as the most recent message describes it.
    public let displayLocation: DisplayLocation

    /// The ids of the messages, newest display date first.
    public internal(set) var messageIDs: [Message.ID]
}
