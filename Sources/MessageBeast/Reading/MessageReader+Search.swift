internal import AppNet
internal import Foundation
internal import GRDB

extension MessageReader {
    /// Returns the messages whose text contains all words of a user's input.
    ///
    /// A malformed input is not an error, and an input without words finds nothing. The last word also matches as a
    /// prefix, unless something follows it.
    ///
    /// - Parameters:
    ///   - before: The position after which the result begins, newest first.
    ///   - rank: The position after which the result begins, by rank.
    /// - Throws: ``MessageBeastError/Kind/notIndexed`` and ``MessageBeastError/Kind/invalidArgument`` for the filter
    ///   and the limit, regardless of the input.
    func search(
        text: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter(),
        afterRank rank: RankCursor? = nil,
        excluding excludes: MessageFilter? = nil
    ) throws -> [SearchHit] {
        var query = try query(in: channel, order, before, limit, filter, rank)
        query.filter = excludes
        guard let words = SearchText(text).query else { return [] }
        query.sources.insert(try HitSource(.messages, words, in: database), at: 0)
        return hits(try query.find(in: database), words: words.words)
    }

    /// Returns the messages whose text matches a pattern of FTS5.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidPattern``, and the errors of a search for a text.
    func search(
        pattern: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter(),
        afterRank rank: RankCursor? = nil,
        excluding excludes: MessageFilter? = nil
    ) throws -> [SearchHit] {
        var query = try query(in: channel, order, before, limit, filter, rank)
        query.filter = excludes
        let words = try self.query(for: pattern)
        query.sources.insert(try HitSource(.messages, words, in: database), at: 0)
        return hits(try query.find(in: database), words: words.words)
    }

    /// Returns the messages at places whose names contain all words of a user's input.
    func search(
        placeName text: String,
        in channel: AppNetChannel.ID,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        excluding excludes: MessageFilter? = nil
    ) throws -> [MessagePlus] {
        guard configuration.isLocationLookupEnabled else { throw Self.notIndexedError("locations are") }
        var query = try query(in: channel, .newestFirst, before, limit, SearchFilter(), nil)
        query.filter = excludes
        guard let words = SearchText(text).query else { return [] }
        query.sources = [try HitSource(.locations, words, in: database)]
        return try query.fetch(in: database)
    }

    /// Returns a query with the conditions of a filter.
    private func query(
        in channel: AppNetChannel.ID,
        _ order: SearchOrder,
        _ before: MessageCursor?,
        _ limit: Int?,
        _ filter: SearchFilter,
        _ rank: RankCursor?
    ) throws -> MessageQuery {
        try MessageQuery.check(limit: limit)
        guard rank == nil || order == .rank else {
            throw MessageBeastError(.invalidArgument, "a position by rank can be used only with the order by rank")
        }
        guard before == nil || order == .newestFirst else {
            throw MessageBeastError(.invalidArgument, "a position by date can be used only with the order newest first")
        }
        var query = MessageQuery(channel: channel.text, before: before, limit: limit)
        query.order = order
        query.afterRank = rank
        query.from = filter.from.map { Milliseconds($0) }
        query.to = filter.to.map { Milliseconds($0) }
        if let hashtag = filter.hashtag {
            guard configuration.isHashtagExtractionEnabled else { throw Self.notIndexedError("hashtags are") }
            query.sources.append(.hashtag(hashtag))
        }
        if let type = filter.annotationType {
            try checkIndexed(type)
            query.sources.append(.annotation(type))
        }
        if let location = filter.location {
            guard configuration.isLocationLookupEnabled else { throw Self.notIndexedError("locations are") }
            try Self.check(filter.precision)
            try Self.check(latitude: location.latitude, longitude: location.longitude)
            query.sources.append(.place(location, filter.precision))
        }
        return query
    }

    /// Returns the query for a pattern of FTS5.
    ///
    /// The phrases of the pattern are folded like texts. The indexes of older stores get the pattern unchanged.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidPattern``.
    private func query(for pattern: String) throws -> WordQuery {
        let error = MessageBeastError(.invalidPattern, "the full-text pattern has invalid syntax")
        // SQLite treats a pattern that starts with * as an internal command, and it ends a pattern at U+0000.
        guard pattern.utf8.first != UInt8(ascii: "*"), !pattern.utf8.contains(0) else { throw error }
        let folded = SearchPattern(pattern)
        let query = WordQuery(
            pattern: folded.text,
            legacyWords: pattern,
            legacyCharacters: nil,
            words: folded.words
        )
        do {
            // The pattern is parsed when the first row is read, so one row is requested even if the limit is 0.
            _ = try HitSource(.messages, query, in: database).count(upTo: 1, in: database)
            return query
        } catch let failure as DatabaseError where failure.resultCode == .SQLITE_ERROR {
            throw error
        }
    }
}
