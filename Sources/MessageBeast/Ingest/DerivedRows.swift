internal import GRDB

/// Writes the rows derived from messages: hashtags, annotations, places, words and action specs.
struct DerivedRows {
    let database: Database
    let channel: ChannelRecord
    let configuration: MessageManagerConfiguration
    let now: Milliseconds

    private let locations: LocationTable
    private let specs: ActionSpecTable
    private let pending = PendingRows()

    init(
        database: Database,
        channel: ChannelRecord,
        configuration: MessageManagerConfiguration,
        now: Milliseconds
    ) throws {
        self.database = database
        self.channel = channel
        self.configuration = configuration
        self.now = now
        locations = LocationTable(database)
        specs = ActionSpecTable(database: database)
    }

    /// Inserts the rows of a message that has no derived rows.
    ///
    /// - Parameter isNewMessage: Whether ``finish(newMessages:)`` follows. It inserts the rows of all new messages
    ///   together and adds them to the indexes.
    func insert(_ derivation: MessageDerivation, of localID: Int64, isNewMessage: Bool) throws {
        if isNewMessage {
            _ = try collect(derivation, of: localID, in: pending)
        } else {
            try insertNow(derivation, of: localID)
        }
    }

    /// Replaces the rows of a message.
    func replace(of localID: Int64, with derivation: MessageDerivation) throws {
        for table in ["hashtag_instance", "annotation_instance", "location_instance"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE local_id = ?").execute(arguments: [localID])
        }
        if channel.kind == .action { try specs.delete(action: localID) }
        // A message that waits for the geocoder keeps its attempts, unless its coordinates changed.
        let isQueued = try insertNow(derivation, of: localID)
        if !isQueued { try GeolocationTable(database: database).dequeue(localID) }
    }

    /// Inserts the rows of a message at once.
    ///
    /// - Returns: Whether the message waits for the geocoder.
    @discardableResult
    private func insertNow(_ derivation: MessageDerivation, of localID: Int64) throws -> Bool {
        let rows = PendingRows()
        let isQueued = try collect(derivation, of: localID, in: rows)
        try rows.insert(in: database, areNewMessages: false)
        return isQueued
    }

    /// Collects the rows that can be inserted together with those of other messages, and writes the others.
    private func collect(_ derivation: MessageDerivation, of localID: Int64, in rows: PendingRows) throws -> Bool {
        rows.append(derivation, of: localID)
        if channel.kind == .action, let target = derivation.targetMessageID {
            try specs.insert(
                ActionSpec(
                    action: localID,
                    channel: channel.id,
                    target: target,
                    targetChannel: channel.targetChannelID ?? ""
                )
            )
        }
        if derivation.locations.isEmpty { return false }
        switch try locations.resolve(derivation.locations, of: localID) {
        case .location(let location):
            rows.append(location, of: localID)
            return false
        case .unnamed(let coordinates):
            try GeolocationTable(database: database).queue(localID, at: coordinates, now: now)
            return true
        case nil: return false
        }
    }

    /// Inserts the rows of new messages, and resolves the specs that wait for them.
    func finish(newMessages range: ClosedRange<Int64>) throws {
        try pending.insert(in: database, areNewMessages: true)
        for action in try ChannelTable(database: database).actionChannels(target: channel.id) {
            try specs.resolve(targets: range, channel: action)
        }
    }
}
