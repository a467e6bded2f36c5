internal import AppNet
internal import GRDB
internal import HeliumCore
internal import HeliumJSON

/// Imports a legacy database (Docs/Protocols/MessageBeast.md §2.5) in the transaction of the caller.
///
/// Data that was imported before or is already stored is left unchanged.
struct LegacyImport {
    let database: Database
    let file: LegacyFile
    let account: AppNetUser.ID
    let configuration: MessageManagerConfiguration
    let now: Milliseconds
    let random: RandomSource
    let files: LegacyFiles

    private static let pageSize = 200

    /// Imports everything.
    func run() throws -> LegacySummary {
        var summary = LegacySummary()
        try importPlaces()
        try importGeolocations()
        let targets = try actionTargets()
        summary.deletions = try importDeletions(targets)
        try importSent(targets, &summary)
        try importUnsent(targets, &summary)
        try importDrafts(targets, &summary)
        try importSpecs()
        try files.importDeletions(from: file, in: database)
        return summary
    }

    // MARK: Channels

    /// Returns the channels of the targets, by action channel.
    private func actionTargets() throws -> [String: String] {
        var targets: [String: String] = [:]
        guard let rows = try specs() else { return targets }
        while let row = try rows.next() {
            if let channel = LegacyFile.text(row, 1), let target = LegacyFile.text(row, 3) {
                targets[channel] = targets[channel] ?? target
            }
        }
        return targets
    }

    /// Returns the record of a channel.
    ///
    /// The legacy libraries kept channels elsewhere. A channel that is not stored gets a placeholder type until it is
    /// looked up on the service.
    private func channel(_ id: String, _ targets: [String: String]) throws -> ChannelRecord {
        let table = ChannelTable(database: database)
        if let known = try table.channel(id) { return known }
        let target = targets[id]
        let record = ChannelRecord(
            id: id,
            kind: target == nil ? .private : .action,
            type: target == nil
                ? "com.alwaysallthetime.messagebeast.legacy.\(id)" : MessageBeastNames.actionChannelType,
            targetChannelID: target,
            json: JSONValue.object(["id": .string(id)]).text(),
            queryParameters: try ChannelParameters.text(of: ChannelParameters.standard)
        )
        try table.save(record)
        return record
    }

    private func derived(for channel: ChannelRecord) throws -> DerivedRows {
        try DerivedRows(database: database, channel: channel, configuration: configuration, now: now)
    }

    // MARK: Messages

    /// Imports messages of the service, in pages of one channel.
    private func importSent(_ targets: [String: String], _ summary: inout LegacySummary) throws {
        let order = "message_channel_id, message_date, rowid"
        guard let rows = try file.rows(of: "messages", LegacyMessage.columns, order: order) else { return }
        var page: [LegacyMessage] = []
        while let row = try rows.next() {
            guard let message = LegacyMessage(row, defaultDate: now),
                message.isUnsent || LegacyMessage.isServerID(message.id)
            else {
                summary.unreadable += 1
                continue
            }
            if message.isUnsent { continue }
            if let last = page.last, page.count == Self.pageSize || !last.channel.hasSameBytes(as: message.channel) {
                summary.messages += try store(page, targets)
                page.removeAll(keepingCapacity: true)
            }
            page.append(message)
        }
        summary.messages += try store(page, targets)
    }

    private func store(_ page: [LegacyMessage], _ targets: [String: String]) throws -> Int {
        guard let first = page.first else { return 0 }
        let known = try MessageTable(database: database).localIDs(of: page.map(\.id))
        let channel = try channel(first.channel, targets)
        // Newest first, like a page of the service. A stored message may be newer than the one in the file, so it is
        // kept.
        let incoming = try page.reversed().filter { known[$0.id] == nil }.map {
            try IncomingMessage($0.sent, configuration: configuration, now: $0.date.date)
        }
        return try PageIngest(channel: channel, configuration: configuration, now: now, random: random)
            .store(incoming, in: database).inserted
    }

    /// Imports unsent messages, oldest first. Their earlier attempts may have reached the service.
    private func importUnsent(_ targets: [String: String], _ summary: inout LegacySummary) throws {
        let order = "message_date, rowid"
        guard let rows = try file.rows(of: "messages", LegacyMessage.columns, order: order) else { return }
        while let row = try rows.next() {
            guard let legacy = LegacyMessage(row, defaultDate: now), legacy.isUnsent,
                try !isKnown(legacy.token)
            else { continue }
            let channel = try channel(legacy.channel, targets)
            let message = legacy.unsent(of: account)
            let unsent = try UnsentMessage(message, [], configuration: configuration, now: legacy.date)
            let localID = try OutboxTable(database: database).append(
                unsent,
                token: legacy.token,
                created: legacy.date,
                with: derived(for: channel),
                dependingOn: try unsentTarget(of: message, in: channel)
            )
            try database.execute(
                sql: "UPDATE outbox SET state = 'sending', attempts = ? WHERE local_id = ?",
                arguments: [legacy.attempts, localID]
            )
            summary.unsent += 1
            summary.files += try files.importAttachments(of: legacy.id, to: localID, from: file, in: database)
        }
    }

    /// Returns the message of the outbox that an action message acts on.
    private func unsentTarget(of message: Message, in channel: ChannelRecord) throws -> Int64? {
        guard channel.kind == .action, let target = message.targetMessageID else { return nil }
        return try Int64.fetchOne(
            database,
            sql: "SELECT local_id FROM message WHERE id = ? AND kind = 'unsent'",
            arguments: [target.text]
        )
    }

    private func importDrafts(_ targets: [String: String], _ summary: inout LegacySummary) throws {
        guard let rows = try file.rows(of: "message_drafts", LegacyMessage.draftColumns + [[], [], []]) else { return }
        while let row = try rows.next() {
            guard let legacy = LegacyMessage(row, defaultDate: now) else {
                summary.unreadable += 1
                continue
            }
            guard try !isKnown(legacy.token) else { continue }
            let message = legacy.unsent(of: account)
            let draft = try UnsentMessage(message, [], configuration: configuration, now: legacy.date)
            let localID = try DraftTable(database: database).insert(
                draft.json,
                id: legacy.token,
                channel: try channel(legacy.channel, targets).id,
                date: draft.derivation.displayDate,
                created: legacy.date
            )
            summary.drafts += 1
            summary.files += try files.importAttachments(of: legacy.id, to: localID, from: file, in: database)
        }
    }

    /// Returns whether a message of the outbox was imported before, in whatever state it is now.
    private func isKnown(_ token: String) throws -> Bool {
        try Int.fetchOne(
            database,
            sql: """
                SELECT 1 FROM message WHERE client_token = ?1 OR id = ?1
                UNION ALL SELECT 1 FROM retired_token WHERE token = ?1 LIMIT 1
                """,
            arguments: [token]
        ) != nil
    }

    // MARK: Deletions

    private func importDeletions(_ targets: [String: String]) throws -> Int {
        let columns = [["pending_message_deletion_message_id"], ["pending_message_deletion_channel_id"]]
        guard let rows = try file.rows(of: "pending_message_deletions", columns) else { return 0 }
        let table = PendingDeletionTable(database: database)
        var count = 0
        while let row = try rows.next() {
            guard let id = LegacyFile.text(row, 0), LegacyMessage.isServerID(id), let name = LegacyFile.text(row, 1)
            else { continue }
            let channel = try channel(name, targets)
            // The messages of the file are imported later. Those with a pending deletion are left out then.
            if let localID = try MessageTable(database: database).localIDs(of: [id])[id] {
                try MessageRemoval(database: database).remove([localID])
            }
            try table.insert(id, channel: channel.id)
            count += database.changesCount
        }
        return count
    }

    // MARK: Actions

    private func specs() throws -> RowCursor? {
        try file.rows(
            of: "action_messages",
            [
                ["action_message_id", "action_id"], ["action_message_channel_id", "action_channel_id"],
                ["action_message_target_message_id", "action_target_message_id"],
                ["action_message_target_channel_id", "action_target_channel_id"],
            ]
        )
    }

    /// Adds the actions of messages whose documents do not name a target. An action without a message is dropped.
    private func importSpecs() throws {
        guard let rows = try specs() else { return }
        while let row = try rows.next() {
            guard let id = LegacyFile.text(row, 0), let channel = LegacyFile.text(row, 1),
                let target = LegacyFile.text(row, 2),
                let localID = try MessageTable(database: database).localIDs(of: [id])[id],
                try Int.fetchOne(
                    database,
                    sql: "SELECT 1 FROM action_spec WHERE action_local_id = ?",
                    arguments: [localID]
                ) == nil
            else { continue }
            try ActionSpecTable(database: database).insert(
                ActionSpec(
                    action: localID,
                    channel: channel,
                    target: target,
                    targetChannel: LegacyFile.text(row, 3) ?? ""
                )
            )
        }
    }

    // MARK: Places

    private func importPlaces() throws {
        let columns = [
            ["place_id"], ["place_name"], ["place_rounded_latitude"], ["place_rounded_longitude"], ["place_is_custom"],
            ["place_json"],
        ]
        guard let rows = try file.rows(of: "places", columns) else { return }
        while let row = try rows.next() {
            guard let id = LegacyFile.text(row, 0), let name = LegacyFile.text(row, 1), !name.isEmpty else { continue }
            let json = LegacyFile.text(row, 5) ?? "{}"
            let value = (try? JSONValue(parsing: json))?.objectValue ?? [:]
            let rounded = Coordinates(latitude: LegacyFile.number(row, 2), longitude: LegacyFile.number(row, 3))
            guard let coordinates = Coordinates(value) ?? rounded else { continue }
            let place = PlaceRecord(id: id, name: name, coordinates, isCustom: LegacyFile.flag(row, 4), value)
            try PlaceTable(database: database).insertIfMissing(place)
        }
    }

    private func importGeolocations() throws {
        let columns = [
            ["geolocation_locality"], ["geolocation_sublocality"], ["geolocation_latitude"], ["geolocation_longitude"],
        ]
        guard let rows = try file.rows(of: "geolocations", columns) else { return }
        let table = GeolocationTable(database: database)
        while let row = try rows.next() {
            guard
                let coordinates = Coordinates(
                    latitude: LegacyFile.number(row, 2),
                    longitude: LegacyFile.number(row, 3)
                ), try table.location(at: coordinates) == nil
            else { continue }
            let location = GeocodedLocation(locality: LegacyFile.text(row, 0), subLocality: LegacyFile.text(row, 1))
            try table.save(location, at: coordinates, now: now)
        }
    }
}

extension PlaceTable {
    /// Stores a place that no message of this store contains, unless it is already stored. Any message replaces it.
    func insertIfMissing(_ place: PlaceRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO place (id, name, latitude, longitude, lat_key, lon_key, is_custom, json, sort_key)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, \(Int64.min)) ON CONFLICT (id) DO NOTHING
                """
        ).execute(arguments: [
            place.id, place.name, place.coordinates.latitude, place.coordinates.longitude,
            place.coordinates.latitudeKey, place.coordinates.longitudeKey, place.isCustom, place.json,
        ])
        guard database.changesCount > 0 else { return }
        try WordIndex.places.insert(
            IndexedText.words(of: place.name),
            of: database.lastInsertedRowID,
            in: database
        )
    }
}
