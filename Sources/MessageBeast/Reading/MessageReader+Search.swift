internal import AppNet
internal import Foundation
internal import GRDB

extension MessageReader {
    /// The messages whose text has all words of a user's input. No input is an error; a blank one finds nothing.
    ///
    /// Case and diacritics are ignored. The last word may be the beginning of one, unless something follows it.
    func search(
        text: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter()
    ) throws -> [SearchHit] {
        let search = SearchText(text)
        let sources = [
            search.pattern.map(HitSource.fullText), search.characterPattern.map(HitSource.characters),
        ].compactMap { $0 }
        guard !sources.isEmpty else { return [] }
        let messages = try find(sources, in: channel, order, before, limit, filter)
        return try hits(messages, pattern: search.pattern, runs: search.characterRuns)
    }

    /// The messages whose text matches a pattern of FTS5.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidPattern``.
    func search(
        pattern: String,
        in channel: AppNetChannel.ID,
        order: SearchOrder = .newestFirst,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        filter: SearchFilter = SearchFilter()
    ) throws -> [SearchHit] {
        do {
            // The pattern is parsed when the first row is wanted: also where a limit of 0 wants none.
            _ = try HitSource.fullText(pattern).count(upTo: 1, in: database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw MessageBeastError(.invalidPattern, "the full-text pattern has invalid syntax")
        }
        let messages = try find([.fullText(pattern)], in: channel, order, before, limit, filter)
        return try hits(messages, pattern: pattern, runs: [])
    }

    /// The messages at places whose names have all words of a user's input.
    func search(
        placeName text: String,
        in channel: AppNetChannel.ID,
        before: MessageCursor? = nil,
        limit: Int? = nil
    ) throws -> [MessagePlus] {
        guard configuration.isLocationLookupEnabled else { throw Self.notIndexed("locations are") }
        guard let pattern = SearchText.placePattern(text) else { return [] }
        return try find([.placeName(pattern)], in: channel, .newestFirst, before, limit, SearchFilter())
    }

    private func find(
        _ sources: [HitSource],
        in channel: AppNetChannel.ID,
        _ order: SearchOrder,
        _ before: MessageCursor?,
        _ limit: Int?,
        _ filter: SearchFilter
    ) throws -> [MessagePlus] {
        var query = MessageQuery(channel: channel.text, before: before, limit: limit, sources: sources)
        query.order = order
        query.from = filter.from.map { Milliseconds($0) }
        query.to = filter.to.map { Milliseconds($0) }
        if let hashtag = filter.hashtag { query.sources.append(.hashtag(hashtag)) }
        if let type = filter.annotationType {
            try checkIndexed(type)
            query.sources.append(.annotation(type))
        }
        if let location = filter.location { query.sources.append(.place(location, filter.precision)) }
        return try query.fetch(in: database)
    }
}

/// Conditions that a search may have besides the words.
struct SearchFilter: Hashable, Sendable {
    var from: Date?
    var to: Date?
    var hashtag: String?
    var annotationType: String?
    var location: DisplayLocation?
    var precision = LocationPrecision.hundredMeters
}

extension SearchText {
    /// The pattern for names of places; `nil` if there is nothing to search for.
    static func placePattern(_ text: String) -> String? {
        let words = text.unicodeScalars.split { !isWordScalar($0) }.prefix(maximumWords).map { "\"\(String($0))\"" }
        guard !words.isEmpty else { return nil }
        let isOpen = text.unicodeScalars.last.map(isWordScalar) ?? false
        return words.joined(separator: " AND ") + (isOpen ? "*" : "")
    }
}
