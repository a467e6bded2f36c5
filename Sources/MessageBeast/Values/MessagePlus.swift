public import AppNet
public import Foundation

/// A stored message with the engine's information about it.
///
/// It is a value. Its ``id`` remains the same when a message that was written offline gets its id from the service.
public struct MessagePlus: Sendable, Identifiable, Equatable {
    /// The local identity of a message: stable for the lifetime of the database.
    public struct ID: Hashable, Sendable, Codable {
        let rawValue: Int64

        init(_ rawValue: Int64) { self.rawValue = rawValue }

        /// Decodes the identity from a number.
        public init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(Int64.self)
        }

        /// Encodes the identity as a number.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }
    }

    /// The state of a message with respect to the service.
    public enum State: String, Hashable, Sendable {
        /// The service has the message.
        case sent
        /// The message waits to be sent. Its message id is temporary.
        case unsent
        /// The message is a draft. It is not sent, listed or found until it is promoted.
        case draft
    }

    /// The local identity.
    public let id: ID

    /// The message. The id of an unsent message is temporary.
    public let message: Message

    /// The channel of the message.
    public let channelID: AppNetChannel.ID

    /// The date that determines the position in lists.
    public let displayDate: Date

    /// The place of the message; `nil` if it has none or while the name is unknown.
    public let displayLocation: DisplayLocation?

    /// The state of the message with respect to the service.
    public let state: State

    /// The number of attempts to send the message; 0 for sent messages.
    public let sendAttemptsCount: Int

    /// The files that wait to be uploaded with the message, in the order of its attachments.
    public let pendingFileAttachments: [PendingFileAttachment]

    /// The position of the message in lists.
    public let cursor: MessageCursor

    /// Whether the message waits to be sent.
    public var isUnsent: Bool { state != .sent }

    /// Whether the message is a draft.
    public var isDraft: Bool { state == .draft }
}

/// A position in a list of messages, newest first: by display date, and by id among equal dates.
public struct MessageCursor: Hashable, Sendable, Codable {
    package let displayDate: Int64
    let sortKey: Int64

    init(displayDate: Int64, sortKey: Int64) {
        self.displayDate = displayDate
        self.sortKey = sortKey
    }

    /// Creates the position before every message of that date or later. Dates are compared in milliseconds.
    public init(before date: Date) {
        self.init(displayDate: Milliseconds(date).value, sortKey: .min)
    }
}

/// A reference from a message to a pending file.
public struct PendingFileAttachment: Hashable, Sendable {
    /// The id of the pending file.
    public let pendingFileID: String

    /// Whether the file becomes embedded content (`net.app.core.oembed`) instead of an attachment.
    public let isOEmbed: Bool

    /// Creates an attachment of a file.
    public init(pendingFileID: String, isOEmbed: Bool) {
        self.pendingFileID = pendingFileID
        self.isOEmbed = isOEmbed
    }
}

/// One page of a list of messages.
public struct MessagePage: Sendable, Equatable {
    /// The messages, newest display date first.
    public let messages: [MessagePlus]

    /// The position of the next page; `nil` after the last one.
    public let next: MessageCursor?

    /// The stored messages that were left out because their documents cannot be read.
    public let unreadable: [MessagePlus.ID]

    /// The number of messages that the filter excluded, up to the last message of the page; after the last page, up to the
    /// end of the channel.
    public let excludedCount: Int

    init(
        messages: [MessagePlus],
        next: MessageCursor?,
        unreadable: [MessagePlus.ID] = [],
        excludedCount: Int = 0
    ) {
        self.messages = messages
        self.next = next
        self.unreadable = unreadable
        self.excludedCount = excludedCount
    }
}
