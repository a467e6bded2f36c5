internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Lists properties that the messages of a channel share: hashtags, annotation types and places.
///
/// A limit of `nil` means all and 0 means none. A negative limit throws ``MessageBeastError/Kind/invalidArgument``. Messages
/// that a filter excludes do not count.
struct InstanceReader {
    let database: Database
    let configuration: MessageManagerConfiguration

    /// Returns the hashtags of a channel, the most recently used first.
    ///
    /// - Parameters:
    ///   - since: The earliest display date of a use.
    ///   - before: The display date before which the uses are.
    ///   - limit: The maximum number of hashtags.
    /// - Throws: ``MessageBeastError/Kind/notIndexed`` if hashtags are not extracted.
    func hashtags(
        in channel: AppNetChannel.ID,
        since: Date? = nil,
        before: Date? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> [HashtagInstances] {
        guard configuration.isHashtagExtractionEnabled else { throw MessageReader.notIndexedError("hashtags are") }
        try MessageQuery.check(limit: limit)
        let uses = InstanceUses(
            table: "hashtag_instance",
            index: "INDEXED BY hashtag_message",
            columns: "use.local_id, use.folded, use.name",
            channel: channel.text,
            window: DateWindow(since: since, before: before)
        )
        var instances: [HashtagInstances] = []
        var indices: [ByteText: Int] = [:]
        var exclusion = MessageExclusion(filter, in: database)
        let rows = try uses.rows(in: database)
        while let row = try rows.next() {
            if try exclusion?.excludes(row[1]) ?? false { continue }
            let id = Message.ID(row[0] as String)
            let folded = ByteText(row[2] as String)
            if let index = indices[folded] {
                instances[index].messageIDs.append(id)
            } else if instances.count < limit ?? .max {
                indices[folded] = instances.count
                instances.append(HashtagInstances(name: row[3], messageIDs: [id]))
            }
        }
        return instances
    }

    /// Returns the messages of a channel with annotations of a type, newest first.
    ///
    /// - Parameters:
    ///   - before: The position after which the list begins.
    ///   - limit: The maximum number of messages.
    /// - Throws: ``MessageBeastError/Kind/notIndexed`` for a type that is not registered.
    func annotations(
        ofType type: String,
        in channel: AppNetChannel.ID,
        before: MessageCursor? = nil,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> AnnotationInstances {
        try MessageReader(database: database, configuration: configuration).checkIndexed(type)
        try MessageQuery.check(limit: limit)
        let conditions = MessageQuery(channel: channel.text, before: before).conditions()
        let statement = try database.cachedStatement(
            sql: """
                SELECT m.id, a.local_id, a.count
                FROM annotation_instance AS a CROSS JOIN message AS m ON m.local_id = a.local_id
                WHERE a.type = ? AND \(conditions.sql) ORDER BY \(MessageQuery.sorting) LIMIT ?
                """
        )
        // With a filter the number of rows to read is unknown.
        let rowLimit = filter == nil ? limit ?? -1 : -1
        let arguments: StatementArguments = [type]
        let rows = try Row.fetchCursor(statement, arguments: arguments + conditions.arguments + [rowLimit])
        var exclusion = MessageExclusion(filter, in: database)
        var uses: [AnnotationInstances.Use] = []
        while uses.count < limit ?? .max, let row = try rows.next() {
            if try exclusion?.excludes(row[1]) ?? false { continue }
            uses.append(AnnotationInstances.Use(messageID: Message.ID(row[0] as String), count: row[2]))
        }
        return AnnotationInstances(type: type, uses: uses)
    }

    /// Returns the places of a channel, the most recently used first.
    ///
    /// Places with the same name and the same truncated coordinates count as one.
    ///
    /// - Throws: ``MessageBeastError/Kind/notIndexed`` if locations are not looked up.
    func displayLocations(
        in channel: AppNetChannel.ID,
        precision: LocationPrecision = .tenKilometers,
        limit: Int? = nil,
        excluding filter: MessageFilter? = nil
    ) throws -> [DisplayLocationInstances] {
        guard configuration.isLocationLookupEnabled else { throw MessageReader.notIndexedError("locations are") }
        try MessageReader.check(precision)
        try MessageQuery.check(limit: limit)
        let uses = InstanceUses(
            table: "location_instance",
            columns: "use.local_id, use.name, use.short_name, use.factual_id, use.latitude, use.longitude, use.source",
            channel: channel.text
        )
        var instances: [DisplayLocationInstances] = []
        var indices: [PlaceKey: Int] = [:]
        var exclusion = MessageExclusion(filter, in: database)
        let rows = try uses.rows(in: database)
        while let row = try rows.next() {
            if try exclusion?.excludes(row[1]) ?? false { continue }
            let id = Message.ID(row[0] as String)
            let location = DisplayLocation(
                name: row[2],
                shortName: row[3],
                factualID: (row[4] as String?).map { Place.ID($0) },
                latitude: row[5],
                longitude: row[6],
                source: DisplayLocation.Source(rawValue: row[7]) ?? .ohai
            )
            let key = PlaceKey(location, precision)
            if let index = indices[key] {
                instances[index].messageIDs.append(id)
            } else if instances.count < limit ?? .max {
                indices[key] = instances.count
                instances.append(DisplayLocationInstances(displayLocation: location, messageIDs: [id]))
            }
        }
        return instances
    }

    /// The name and the truncated coordinates by which places are grouped.
    private struct PlaceKey: Hashable {
        let name: ByteText
        let latitude: Int64
        let longitude: Int64

        init(_ location: DisplayLocation, _ precision: LocationPrecision) {
            name = ByteText(location.name)
            latitude = Coordinates.key(location.latitude, unit: precision.degrees)
            longitude = Coordinates.key(location.longitude, unit: precision.degrees)
        }
    }
}
