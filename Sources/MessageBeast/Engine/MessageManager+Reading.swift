public import AppNet
public import Foundation

// All reads use one snapshot of the database, never wait for the network, and do not run on the actor.

extension MessageManager {
    /// Returns a page of the messages of a channel, newest display date first.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - cursor: The position after which the page begins. Default: `nil`, which starts at the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func page(
        of channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int? = 50,
        excluding filter: MessageFilter? = nil
    ) async throws -> MessagePage {
        try await reading { try $0.page(of: channel, after: cursor, limit: limit, excluding: filter) }
    }

    /// Returns the messages of a channel between two display dates, newest first.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - from: The earliest date, inclusive. Default: `nil`, no limit.
    ///   - to: The date before which the messages are. Default: `nil`, no limit.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        from: Date? = nil,
        to: Date? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [MessagePlus] {
        try await reading { try $0.messages(in: channel, from: from, to: to, limit: limit, excluding: filter) }
    }

    /// Returns the message with an id, of any channel; `nil` if it is not stored.
    ///
    /// A temporary id remains valid after the message was sent.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func message(id: Message.ID) async throws -> MessagePlus? {
        try await reading { try $0.message(id: id) }
    }

    /// Returns the messages with ids, of any channel, newest first. Unknown ids are ignored. The list may have any
    /// length.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func messages(ids: [Message.ID]) async throws -> [MessagePlus] {
        try await reading { try $0.messages(ids: ids) }
    }

    /// Returns the messages with a hashtag, newest first. Case, width and a leading `#` are ignored.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - hashtag: The hashtag, for example `swift`.
    ///   - cursor: The position after which the messages are. Default: `nil`, which starts at the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` if hashtags are not
    ///   indexed.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        hashtag: String,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [MessagePlus] {
        try await reading {
            try $0.messages(in: channel, hashtag: hashtag, before: cursor, limit: limit, excluding: filter)
        }
    }

    /// Returns the messages with annotations of a type, newest first.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - annotationType: A type that is registered in ``MessageManagerConfiguration/annotationTypes``.
    ///   - cursor: The position after which the messages are. Default: `nil`, which starts at the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` for a type that is not
    ///   registered.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        annotationType: String,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [MessagePlus] {
        try await reading {
            try $0.messages(
                in: channel,
                annotationType: annotationType,
                before: cursor,
                limit: limit,
                excluding: filter
            )
        }
    }

    /// Returns the messages at a place: with the same name, and with coordinates that differ by at most the precision.
    ///
    /// - Parameters:
    ///   - channel: The channel of the messages.
    ///   - location: The place. Its name and its coordinates are compared.
    ///   - precision: The maximum difference, in degrees, of the latitudes and of the longitudes. Default: 0.001°, about
    ///     100 metres of latitude.
    ///   - cursor: The position after which the messages are. Default: `nil`, which starts at the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` if places are not
    ///   indexed.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        at location: DisplayLocation,
        precision: LocationPrecision = .hundredMeters,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [MessagePlus] {
        try await reading {
            try $0.messages(
                in: channel,
                at: location,
                precision: precision,
                before: cursor,
                limit: limit,
                excluding: filter
            )
        }
    }

    private nonisolated func reading<Value: Sendable>(
        _ body: @escaping @Sendable (MessageReader) throws -> Value
    ) async throws -> Value {
        let configuration = context.configuration
        return try await context.read { try body(MessageReader(database: $0, configuration: configuration)) }
    }
}

// MARK: Searching

extension MessageManager {
    /// Returns whether a text has a word that a search can find: a letter or a digit.
    ///
    /// Emoji, punctuation and other signs separate words. A search for signs alone finds nothing.
    public static func hasSearchableWords(_ text: String) -> Bool { SearchText(text).query != nil }

    /// Returns the messages whose text contains all words of a user's input.
    ///
    /// A malformed input is not an error, and an input without words finds nothing (``hasSearchableWords(_:)``). Case,
    /// diacritics and width are ignored. The last word also matches as a prefix, unless something follows it. A hashtag
    /// is found with or without `#`.
    ///
    /// - Parameters:
    ///   - text: The words, as the user typed them.
    ///   - channel: The channel of the messages.
    ///   - order: The order of the hits.
    ///   - cursor: The position after which the hits begin, in a search newest first: ``MessagePlus/cursor`` of the
    ///     last message of the previous page. Default: `nil`, which starts at the newest hit.
    ///   - rank: The position after which the hits begin, in a search by rank: ``SearchHit/rankCursor`` of the last hit
    ///     of the previous page. Default: `nil`, which starts at the best hit.
    ///   - limit: The maximum number of hits; `nil` for all.
    ///   - filter: Additional conditions.
    ///   - excludes: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/invalidArgument`` for a position of
    ///   the other order.
    nonisolated public func search(
        text: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        after cursor: MessageCursor? = nil,
        afterRank rank: RankCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter(),
        excluding excludes: MessageFilter? = nil
    ) async throws -> [SearchHit] {
        try await reading {
            try $0.search(
                text: text,
                in: channel,
                order: order,
                before: cursor,
                limit: limit,
                filter: filter,
                afterRank: rank,
                excluding: excludes
            )
        }
    }

    /// Returns the messages whose text matches a pattern in the syntax of SQLite's FTS5.
    ///
    /// The words of the pattern are compared like those of a text.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, for example `lunch NOT dinner`.
    ///   - channel: The channel of the messages.
    ///   - order: The order of the hits.
    ///   - cursor: The position after which the hits begin, in a search newest first. Default: `nil`, which starts at
    ///     the newest hit.
    ///   - rank: The position after which the hits begin, in a search by rank. Default: `nil`, which starts at the best
    ///     hit.
    ///   - limit: The maximum number of hits; `nil` for all.
    ///   - filter: Additional conditions.
    ///   - excludes: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/invalidPattern`` for invalid
    ///   syntax and ``MessageBeastError/Kind/invalidArgument`` for a position of the other order.
    nonisolated public func search(
        pattern: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        after cursor: MessageCursor? = nil,
        afterRank rank: RankCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter(),
        excluding excludes: MessageFilter? = nil
    ) async throws -> [SearchHit] {
        try await reading {
            try $0.search(
                pattern: pattern,
                in: channel,
                order: order,
                before: cursor,
                limit: limit,
                filter: filter,
                afterRank: rank,
                excluding: excludes
            )
        }
    }

    /// Returns the messages at places whose names contain all words of a user's input, newest first.
    ///
    /// - Parameters:
    ///   - placeName: The words, as the user typed them.
    ///   - channel: The channel of the messages.
    ///   - cursor: The position after which the messages are. Default: `nil`, which starts at the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    ///   - filter: Returns `true` for messages to leave out. They do not count for the limit. Default: `nil`, no filter.
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notIndexed`` if places are not
    ///   indexed.
    nonisolated public func search(
        placeName: String,
        in channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) async throws -> [MessagePlus] {
        try await reading {
            try $0.search(placeName: placeName, in: channel, before: cursor, limit: limit, excluding: filter)
        }
    }
}
