public import Foundation
public import HeliumJSON

/// An event of an app stream (§2.13): what happened with the users of an app.
public struct StreamEvent: Hashable, Sendable {
    /// What it is of.
    public enum Subject: Hashable, Sendable {
        /// A post was written, or deleted. pnut.io may tell of several.
        case posts([Post])
        /// A message was written, or deleted. pnut.io may tell of several.
        case messages([Message])
        /// A channel was created or changed.
        case channels([AppNetChannel])
        /// A file was created, changed or deleted.
        case files([File])
        /// A user changed.
        case users([AppNetUser])
        /// An app was permitted something, or is no longer.
        case tokens([TokenInfo])
        /// A user starred a post (pnut.io: a bookmark).
        case star(Post?, by: AppNetUser?)
        /// A user follows another.
        case follow(of: AppNetUser?, by: AppNetUser?)
        /// A user muted another.
        case mute(of: AppNetUser?, by: AppNetUser?)
        /// A user blocked another.
        case block(of: AppNetUser?, by: AppNetUser?)
        /// A user read a stream.
        case streamMarker(StreamMarker?, of: AppNetUser?)
        /// A user subscribed to a channel.
        case channelSubscription(AppNetChannel?, by: AppNetUser?)
        /// The service speaks of the stream itself: its buffer fills, for example.
        case control(JSONValue)
        /// Something else: ``Kind`` tells what, if the service said.
        case other(JSONValue?)
    }

    /// What it is of. Of a deletion it may be ``Subject/other(_:)`` with nothing.
    public let subject: Subject

    /// What the event says besides: whom not to notify, who is subscribed.
    public let meta: ResponseMeta

    /// An event.
    public init(subject: Subject, meta: ResponseMeta) {
        self.subject = subject
        self.meta = meta
    }

    /// Its type; `nil` of those that control the stream, and for a name with more than 256 combining marks in a row, which
    /// takes too long to compare.
    public var kind: Kind? { meta.type.flatMap { $0.isSlowToCompare ? nil : Kind(rawValue: $0) } }

    /// The id of what it is of: opaque, `143:144` of two users.
    public var id: String? { meta.id }

    /// Whether something was deleted, or the opposite of its type happened: unstarred, unfollowed, unsubscribed.
    public var isDeletion: Bool { meta.isDeleted == true }

    /// When it was, to the second or the millisecond; `nil` if it doesn't say.
    public var date: Date? { meta.date }
}

extension StreamEvent {
    /// A type of events, from a list that may grow.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name as the service writes it.
        public let rawValue: String

        /// A type by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }

        /// Of a post.
        public static let post = Self(rawValue: "post")
        /// Of a star.
        public static let star = Self(rawValue: "star")
        /// Of a user who follows another.
        public static let userFollow = Self(rawValue: "user_follow")
        /// Of a user who mutes another.
        public static let mute = Self(rawValue: "mute")
        /// Of a user who blocks another.
        public static let block = Self(rawValue: "block")
        /// Of a user who read a stream.
        public static let streamMarker = Self(rawValue: "stream_marker")
        /// Of a message.
        public static let message = Self(rawValue: "message")
        /// Of a channel.
        public static let channel = Self(rawValue: "channel")
        /// Of a user who subscribed to a channel.
        public static let channelSubscription = Self(rawValue: "channel_subscription")
        /// Of what a user permits an app.
        public static let token = Self(rawValue: "token")
        /// Of a file.
        public static let file = Self(rawValue: "file")
        /// Of a user.
        public static let user = Self(rawValue: "user")

        // MARK: pnut.io (§6.3)

        /// Of a bookmark: pnut.io's star.
        public static let bookmark = Self(rawValue: "bookmark")
        /// Of a user who follows another: pnut.io's name.
        public static let follow = Self(rawValue: "follow")
        /// Of a poll.
        public static let poll = Self(rawValue: "poll")
        /// Of what a user does now.
        public static let userPresence = Self(rawValue: "user_presence")
        /// Of what a user does now in a channel.
        public static let userChannelPresence = Self(rawValue: "user_channel_presence")
    }
}
