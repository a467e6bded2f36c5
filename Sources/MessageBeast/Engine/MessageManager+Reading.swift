public import AppNet
public import Foundation

// All reads come from one snapshot of the database, never wait for the network, and do not run on the actor.

extension MessageManager {
    /// A page of the messages of a channel, newest display date first.
    ///
    /// - Parameters:
    ///   - cursor: The position after which the page begins. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func page(
        of channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int? = 50
    ) async throws -> MessagePage {
        try await reading { try $0.page(of: channel, after: cursor, limit: limit) }
    }

    /// The messages of a channel between two display dates, newest first.
    ///
    /// - Parameters:
    ///   - from: The earliest date, included. Default: any.
    ///   - to: The date before which the messages are. Default: any.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        from: Date? = nil,
        to: Date? = nil,
        limit: Int? = nil
    ) async throws -> [MessagePlus] {
        try await reading { try $0.messages(in: channel, from: from, to: to, limit: limit) }
    }

    /// The message with an id, of any channel; `nil` if it is not stored. A temporary id remains valid after the message was
    /// sent.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func message(id: Message.ID) async throws -> MessagePlus? {
        try await reading { try $0.message(id: id) }
    }

    /// The messages with ids, of any channel, newest first. Unknown ids are left out. The list may be of any length.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func messages(ids: [Message.ID]) async throws -> [MessagePlus] {
        try await reading { try $0.messages(ids: ids) }
    }

    /// The messages with a hashtag, whatever its case and width, with or without `#`, newest first.
    ///
    /// - Parameters:
    ///   - cursor: The position after which the messages are. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notIndexed`` without an index of hashtags.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        hashtag: String,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil
    ) async throws -> [MessagePlus] {
        try await reading { try $0.messages(in: channel, hashtag: hashtag, before: cursor, limit: limit) }
    }

    /// The messages with annotations of a type, newest first.
    ///
    /// - Parameters:
    ///   - cursor: The position after which the messages are. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notIndexed`` for a type that is not registered.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        annotationType: String,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil
    ) async throws -> [MessagePlus] {
        try await reading { try $0.messages(in: channel, annotationType: annotationType, before: cursor, limit: limit) }
    }

    /// The messages at a place: with the same name, and coordinates that differ by at most the precision.
    ///
    /// - Parameters:
    ///   - cursor: The position after which the messages are. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notIndexed`` without an index of places.
    nonisolated public func messages(
        in channel: AppNetChannel.ID,
        at location: DisplayLocation,
        precision: LocationPrecision = .hundredMeters,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil
    ) async throws -> [MessagePlus] {
        try await reading {
            try $0.messages(in: channel, at: location, precision: precision, before: cursor, limit: limit)
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
    /// The messages whose text has all words of a user's input. No input is an error; a blank one finds nothing.
    ///
    /// Case and diacritics are ignored. The last word may be the beginning of one, unless something follows it. A hashtag is
    /// found with or without `#`.
    ///
    /// - Parameters:
    ///   - order: The order of the hits.
    ///   - cursor: The position after which the hits begin, in a search newest first: ``MessagePlus/cursor`` of the last
    ///     message of the page before. Default: the newest hit.
    ///   - rank: The position after which the hits begin, in a search by rank: ``SearchHit/rankCursor`` of the last hit of
    ///     the page before. Default: the best hit.
    ///   - limit: The maximum number of hits; `nil` for all.
    ///   - filter: Other conditions.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/invalidArgument`` for a position of the other
    ///   order.
    nonisolated public func search(
        text: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        after cursor: MessageCursor? = nil,
        afterRank rank: RankCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter()
    ) async throws -> [SearchHit] {
        try await reading {
            try $0.search(
                text: text,
                in: channel,
                order: order,
                before: cursor,
                limit: limit,
                filter: filter,
                afterRank: rank
            )
        }
    }

    /// The messages whose text matches a pattern in the syntax of SQLite's FTS5.
    ///
    /// - Parameters:
    ///   - order: The order of the hits.
    ///   - cursor: The position after which the hits begin, in a search newest first. Default: the newest hit.
    ///   - rank: The position after which the hits begin, in a search by rank. Default: the best hit.
    ///   - limit: The maximum number of hits; `nil` for all.
    ///   - filter: Other conditions.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/invalidPattern`` for invalid syntax and
    ///   ``MessageBeastError/Kind/invalidArgument`` for a position of the other order.
    nonisolated public func search(
        pattern: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        after cursor: MessageCursor? = nil,
        afterRank rank: RankCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter()
    ) async throws -> [SearchHit] {
        try await reading {
            try $0.search(
                pattern: pattern,
                in: channel,
                order: order,
                before: cursor,
                limit: limit,
                filter: filter,
                afterRank: rank
            )
        }
    }

    /// The messages at places whose names have all words of a user's input, newest first.
    ///
    /// - Parameters:
    ///   - cursor: The position after which the messages are. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notIndexed`` without an index of places.
    nonisolated public func search(
        placeName: String,
        in channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil
    ) async throws -> [MessagePlus] {
        try await reading { try $0.search(placeName: placeName, in: channel, before: cursor, limit: limit) }
    }
}
