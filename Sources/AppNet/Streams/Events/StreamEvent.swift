public import Foundation
public import HeliumJSON

/// An event of an app stream, which reports a change that concerns the users of an app
/// (Docs/Protocols/AppNet.md §2.13).
public struct StreamEvent: Hashable, Sendable {
    /// The subject of an event.
    public enum Subject: Hashable, Sendable {
        /// A post was created or deleted. pnut.io may report several.
        case posts([Post])
        /// A message was created or deleted. pnut.io may report several.
        case messages([Message])
        /// A channel was created or changed.
        case channels([AppNetChannel])
        /// A file was created, changed or deleted.
        case files([File])
        /// A user changed.
        case users([AppNetUser])
        /// A user authorized an app, or withdrew the authorization.
        case tokens([TokenInfo])
        /// A user starred a post. On pnut.io, a user bookmarked a post.
        case star(Post?, by: AppNetUser?)
        /// A user followed another user.
        case follow(of: AppNetUser?, by: AppNetUser?)
        /// A user muted another user.
        case mute(of: AppNetUser?, by: AppNetUser?)
        /// A user blocked another user.
        case block(of: AppNetUser?, by: AppNetUser?)
        /// A user's reading position in a stream changed.
        case streamMarker(StreamMarker?, of: AppNetUser?)
        /// A user subscribed to a channel.
        case channelSubscription(AppNetChannel?, by: AppNetUser?)
        /// A message about the stream itself, for example that its buffer is filling.
        case control(JSONValue)
        /// Any other event. ``Kind`` is its type, if the service sent one.
        case other(JSONValue?)
    }

    /// The subject. For a deletion it may be ``Subject/other(_:)`` with `nil`.
    public let subject: Subject

    /// The metadata, such as the subscribed users and the users who should not be notified.
    public let meta: ResponseMeta

    /// Creates an event.
    public init(subject: Subject, meta: ResponseMeta) {
        self.subject = subject
        self.meta = meta
    }

    /// The type. It is `nil` for control messages, and for a name with more than 256 combining marks in a row, which
    /// takes too long to compare.
    public var kind: Kind? { meta.type.flatMap { $0.isSlowToCompare ? nil : Kind(rawValue: $0) } }

    /// The id of the subject. It is opaque, for example `143:144` for two users.
    public var id: String? { meta.id }

    /// Whether the event is a deletion or the opposite of its type, such as an unstar, unfollow or unsubscription.
    public var isDeletion: Bool { meta.isDeleted == true }

    /// The time of the event, in seconds or milliseconds; `nil` if the event has none.
    public var date: Date? { meta.date }
}

extension StreamEvent {
    /// A type of events, from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as the service writes it.
        public let rawValue: String

        /// Creates a type from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// A post.
        public static let post = Self(rawValue: "post")
        /// A star.
        public static let star = Self(rawValue: "star")
        /// A user follows another user.
        public static let userFollow = Self(rawValue: "user_follow")
        /// A user mutes another user.
        public static let mute = Self(rawValue: "mute")
        /// A user blocks another user.
        public static let block = Self(rawValue: "block")
        /// A user's reading position in a stream.
        public static let streamMarker = Self(rawValue: "stream_marker")
        /// A message.
        public static let message = Self(rawValue: "message")
        /// A channel.
        public static let channel = Self(rawValue: "channel")
        /// A user subscribes to a channel.
        public static let channelSubscription = Self(rawValue: "channel_subscription")
        /// A user's authorization of an app.
        public static let token = Self(rawValue: "token")
        /// A file.
        public static let file = Self(rawValue: "file")
        /// A user.
        public static let user = Self(rawValue: "user")

        // MARK: pnut.io (Docs/Protocols/AppNet.md §6.3)

        /// A bookmark, which is pnut.io's equivalent of a star.
        public static let bookmark = Self(rawValue: "bookmark")
        /// A user follows another user: pnut.io's name for ``userFollow``.
        public static let follow = Self(rawValue: "follow")
        /// A poll.
        public static let poll = Self(rawValue: "poll")
        /// A user's presence.
        public static let userPresence = Self(rawValue: "user_presence")
        /// A user's presence in a channel.
        public static let userChannelPresence = Self(rawValue: "user_channel_presence")
    }
}
