internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Reads stored messages from one snapshot of the database. No function waits for the network.
///
/// Lists are newest first: by display date, and by id among equal dates. Unsent messages are listed; drafts and hidden
/// messages are not. A message whose document cannot be read is left out, and so is one that a filter excludes; neither
/// counts for the limit. A limit of `nil` means all and 0 means none. A negative limit throws
/// ``MessageBeastError/Kind/invalidArgument``.
struct MessageReader {
    let database: Database
    let configuration: MessageManagerConfiguration

    /// Returns a page of a channel.
    func page(
        of channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int?,
        excluding filter: MessageFilter? = nil
    ) throws -> MessagePage {
        var query = MessageQuery(channel: channel.text, before: cursor, limit: limit, excluding: filter)
        // One more message shows whether there is a next page.
        let isPart = limit.map { $0 > 0 && $0 < Int.max } ?? false
        if isPart, let limit { query.limit = limit + 1 }
        var found = try query.find(in: database)
        let isLast = !isPart || found.messages.count <= limit ?? 0
        if let limit { found.truncate(to: limit) }
        return MessagePage(
            messages: found.messages,
            next: isLast ? nil : found.messages.last?.cursor,
            unreadable: found.unreadable,
            excludedCount: found.excludedCount
        )
    }

    /// Returns the messages of a channel between two display dates, the first inclusive.
    func messages(
        in channel: AppNetChannel.ID,
        from: Date?,
        to: Date?,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> [MessagePlus] {
        var query = MessageQuery(channel: channel.text, limit: limit, excluding: filter)
        query.from = from.map { Milliseconds($0) }
        query.to = to.map { Milliseconds($0) }
        return try query.fetch(in: database)
    }

    /// Returns the messages with a hashtag. Case, width and a leading `#` are ignored.
    func messages(
        in channel: AppNetChannel.ID,
        hashtag: String,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> [MessagePlus] {
        guard configuration.isHashtagExtractionEnabled else { throw Self.notIndexedError("hashtags are") }
        return try messages(in: channel, .hashtag(hashtag), before, limit, filter)
    }

    /// Returns the messages with annotations of a type.
    ///
    /// - Throws: ``MessageBeastError/Kind/notIndexed`` for a type that is not registered.
    func messages(
        in channel: AppNetChannel.ID,
        annotationType type: String,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> [MessagePlus] {
        try checkIndexed(type)
        return try messages(in: channel, .annotation(type), before, limit, filter)
    }

    /// Returns the messages at a place: with the same name, and with coordinates that differ by at most the precision.
    func messages(
        in channel: AppNetChannel.ID,
        at location: DisplayLocation,
        precision: LocationPrecision = .hundredMeters,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> [MessagePlus] {
        guard configuration.isLocationLookupEnabled else { throw Self.notIndexedError("locations are") }
        try Self.check(precision)
        try Self.check(latitude: location.latitude, longitude: location.longitude)
        return try messages(in: channel, .place(location, precision), before, limit, filter)
    }

    private func messages(
        in channel: AppNetChannel.ID,
        _ source: HitSource,
        _ before: MessageCursor?,
        _ limit: Int?,
        _ filter: MessageFilter?
    ) throws -> [MessagePlus] {
        try MessageQuery(channel: channel.text, before: before, limit: limit, sources: [source], excluding: filter)
            .fetch(in: database)
    }

    // MARK: By id

    /// Returns the message with an id. A temporary id remains valid after the message was sent.
    func message(id: Message.ID) throws -> MessagePlus? { try messages(ids: [id]).first }

    /// Returns the messages with ids, including temporary ids, of any channel, newest first. Unknown ids are ignored.
    func messages(ids: [Message.ID]) throws -> [MessagePlus] {
        guard !ids.isEmpty else { return [] }
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(MessageRow.columns) FROM (
                    SELECT m.local_id AS key FROM json_each(?1) AS list CROSS JOIN message AS m ON m.id = list.value
                    UNION
                    SELECT m.local_id FROM json_each(?1) AS list CROSS JOIN message AS m ON m.client_token = list.value
                    UNION
                    SELECT f.local_id FROM json_each(?1) AS list CROSS JOIN former_id AS f ON f.id = list.value
                ) AS page CROSS JOIN message AS m ON m.local_id = page.key \(MessageRow.joins)
                WHERE m.hidden = 0 AND m.kind <> 'draft'
                ORDER BY m.display_date_ms DESC, m.sort_key DESC
                """
        )
        return try MessageRow.fetch(statement, [JSONList.text(ids.map(\.text))], in: database).messages
    }

    // MARK: Checks

    func checkIndexed(_ type: String) throws {
        guard !configuration.indexedTypes.contains(type) else { return }
        throw Self.notIndexedError("the annotation type \(type) is")
    }

    static func check(_ precision: LocationPrecision) throws {
        guard precision.degrees > 0, precision.degrees <= 180 else {
            throw MessageBeastError(.invalidArgument, "the precision \(precision.degrees)° is not between 0° and 180°")
        }
    }

    /// Checks coordinates of a caller. Longitudes may be counted from 0 to 360 or from -180 to 180.
    static func check(latitude: Double, longitude: Double) throws {
        guard -90...90 ~= latitude, -360...360 ~= longitude else {
            throw MessageBeastError(.invalidArgument, "the coordinates are not those of a point on Earth")
        }
    }

    static func notIndexedError(_ subject: String) -> MessageBeastError {
        MessageBeastError(.notIndexed, "\(subject) not indexed by this configuration")
    }
}
