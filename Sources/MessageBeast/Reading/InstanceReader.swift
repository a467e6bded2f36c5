internal import AppNet
internal import Foundation
internal import GRDB

/// Lists what the messages of a channel have in common: hashtags, annotation types and places.
struct InstanceReader {
    let database: Database
    let configuration: MessageManagerConfiguration

    /// The hashtags of a channel, the most recently used first.
    ///
    /// - Parameters:
    ///   - since: The earliest display date of a use.
    ///   - before: The display date before which the uses are.
    func hashtags(in channel: AppNetChannel.ID, since: Date? = nil, before: Date? = nil) throws -> [HashtagInstances] {
        let rows = try rows(
            "tag.folded, tag.name",
            "hashtag_instance AS tag INDEXED BY hashtag_message ON tag.local_id = m.local_id",
            in: channel,
            since: since,
            before: before
        )
        var instances: [HashtagInstances] = []
        var indices: [String: Int] = [:]
        while let row = try rows.next() {
            let id = Message.ID(row[0] as String)
            if let index = indices[row[1]] {
                instances[index].messageIDs.append(id)
            } else {
                indices[row[1]] = instances.count
                instances.append(HashtagInstances(name: row[2], messageIDs: [id]))
            }
        }
        return instances
    }

    /// The messages of a channel with annotations of a type, newest first.
    ///
    /// - Throws: ``MessageBeastError/Kind/notIndexed`` for a type that is not registered.
    func annotations(ofType type: String, in channel: AppNetChannel.ID) throws -> AnnotationInstances {
        try MessageReader(database: database, configuration: configuration).checkIndexed(type)
        let statement = try database.cachedStatement(
            sql: """
                SELECT m.id, a.count FROM annotation_instance AS a CROSS JOIN message AS m ON m.local_id = a.local_id
                WHERE a.type = ? AND m.channel_id = ? AND m.hidden = 0 AND m.kind <> 'draft'
                ORDER BY m.display_date_ms DESC, m.sort_key DESC
                """
        )
        let uses = try Row.fetchAll(statement, arguments: [type, channel.text]).map {
            AnnotationInstances.Use(messageID: Message.ID($0[0] as String), count: $0[1])
        }
        return AnnotationInstances(type: type, uses: uses)
    }

    /// The places of a channel, the most recently used first. Places of one name whose truncated coordinates are equal count
    /// as one.
    func displayLocations(
        in channel: AppNetChannel.ID,
        precision: LocationPrecision = .tenKilometers
    ) throws -> [DisplayLocationInstances] {
        try MessageReader.check(precision)
        let rows = try rows(
            "place.name, place.short_name, place.factual_id, place.latitude, place.longitude, place.source",
            "location_instance AS place ON place.local_id = m.local_id",
            in: channel,
            since: nil,
            before: nil
        )
        var instances: [DisplayLocationInstances] = []
        var indices: [PlaceKey: Int] = [:]
        while let row = try rows.next() {
            let id = Message.ID(row[0] as String)
            let location = DisplayLocation(
                name: row[1],
                shortName: row[2],
                factualID: (row[3] as String?).map { Place.ID($0) },
                latitude: row[4],
                longitude: row[5],
                source: DisplayLocation.Source(rawValue: row[6]) ?? .ohai
            )
            let key = PlaceKey(location, precision)
            if let index = indices[key] {
                instances[index].messageIDs.append(id)
            } else {
                indices[key] = instances.count
                instances.append(DisplayLocationInstances(displayLocation: location, messageIDs: [id]))
            }
        }
        return instances
    }

    /// The name and the truncated coordinates by which places are grouped.
    private struct PlaceKey: Hashable {
        let name: String
        let latitude: Int64
        let longitude: Int64

        init(_ location: DisplayLocation, _ precision: LocationPrecision) {
            name = location.name
            latitude = Coordinates.key(location.latitude, unit: precision.degrees)
            longitude = Coordinates.key(location.longitude, unit: precision.degrees)
        }
    }

    /// The ids of messages, newest first, each with columns of a joined table.
    private func rows(
        _ columns: String,
        _ join: String,
        in channel: AppNetChannel.ID,
        since: Date?,
        before: Date?
    ) throws -> RowCursor {
        let statement = try database.cachedStatement(
            sql: """
                SELECT m.id, \(columns) FROM message AS m INDEXED BY message_list CROSS JOIN \(join)
                WHERE m.channel_id = ? AND m.hidden = 0 AND m.display_date_ms >= ? AND m.display_date_ms < ?
                    AND m.kind <> 'draft'
                ORDER BY m.display_date_ms DESC, m.sort_key DESC
                """
        )
        let window = [since.map { Milliseconds($0).value } ?? .min, before.map { Milliseconds($0).value } ?? .max]
        return try Row.fetchCursor(statement, arguments: [channel.text, window[0], window[1]])
    }
}
