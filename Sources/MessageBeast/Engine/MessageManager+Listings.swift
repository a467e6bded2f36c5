public import AppNet
public import Foundation

// MARK: What messages have in common

extension MessageManager {
    /// The hashtags of a channel, the most recently used first.
    ///
    /// - Parameters:
    ///   - since: The earliest display date of a use. Default: any.
    ///   - before: The display date before which the uses are. Default: any.
    ///   - limit: The maximum number of hashtags; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func hashtags(
        in channel: AppNetChannel.ID,
        since: Date? = nil,
        before: Date? = nil,
        limit: Int? = nil
    ) async throws -> [HashtagInstances] {
        try await listing { try $0.hashtags(in: channel, since: since, before: before, limit: limit) }
    }

    /// The messages of a channel with annotations of a type, and the number of these.
    ///
    /// - Parameters:
    ///   - cursor: The position after which the messages are. Default: the newest message.
    ///   - limit: The maximum number of messages; `nil` for all.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notIndexed`` for a type that is not registered.
    nonisolated public func annotations(
        ofType type: String,
        in channel: AppNetChannel.ID,
        after cursor: MessageCursor? = nil,
        limit: Int? = nil
    ) async throws -> AnnotationInstances {
        try await listing { try $0.annotations(ofType: type, in: channel, before: cursor, limit: limit) }
    }

    /// The places of a channel, the most recently used first. Places of one name whose truncated coordinates are equal count
    /// as one.
    ///
    /// - Parameters:
    ///   - precision: The unit to which coordinates are truncated.
    ///   - limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func displayLocations(
        in channel: AppNetChannel.ID,
        precision: LocationPrecision = .tenKilometers,
        limit: Int? = nil
    ) async throws -> [DisplayLocationInstances] {
        try await listing { try $0.displayLocations(in: channel, precision: precision, limit: limit) }
    }

    private nonisolated func listing<Value: Sendable>(
        _ body: @escaping @Sendable (InstanceReader) throws -> Value
    ) async throws -> Value {
        let configuration = context.configuration
        return try await context.read { try body(InstanceReader(database: $0, configuration: configuration)) }
    }
}

// MARK: Places

extension MessageManager {
    /// The places whose names have all words of a user's input, by name.
    ///
    /// - Parameters:
    ///   - excludesCustom: Whether places of the app are left out.
    ///   - includesUnused: Whether places are found that no stored message was written at.
    ///   - limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func places(
        matching text: String,
        excludesCustom: Bool = false,
        includesUnused: Bool = false,
        limit: Int? = nil
    ) async throws -> [CachedPlace] {
        try await context.read { database in
            try PlaceReader(database: database).places(
                matching: text,
                excludesCustom: excludesCustom,
                includesUnused: includesUnused,
                limit: limit
            )
        }
    }

    /// The places near coordinates, the nearest first.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    ///   - precision: The distance within which places are, in each direction.
    ///   - excludesCustom: Whether places of the app are left out.
    ///   - limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError``.
    nonisolated public func places(
        latitude: Double,
        longitude: Double,
        precision: LocationPrecision = .hundredMeters,
        excludesCustom: Bool = false,
        limit: Int? = nil
    ) async throws -> [CachedPlace] {
        try await context.read { database in
            try PlaceReader(database: database).places(
                latitude: latitude,
                longitude: longitude,
                precision: precision,
                excludesCustom: excludesCustom,
                limit: limit
            )
        }
    }

    /// Removes a place from the cache. Messages keep their locations.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func removePlace(_ id: String) async throws {
        try await context.write(try context.life.term()) { try PlaceTable(database: $0).delete(id) }
    }

    /// Removes all places from the cache. Messages keep their locations.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func removeAllPlaces() async throws {
        try await context.write(try context.life.term()) { try PlaceTable(database: $0).deleteAll() }
    }
}
