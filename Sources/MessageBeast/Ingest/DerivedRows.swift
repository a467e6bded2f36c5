internal import GRDB

/// Writes the rows that are derived from messages: hashtags, annotations, places, CJK text and action specs.
///
/// The statements are prepared once for a page.
struct DerivedRows {
    let database: Database
    let channel: ChannelRecord
    let configuration: MessageManagerConfiguration
    let replacesPlaces: Bool
    let now: Milliseconds

    private let hashtags: HashtagTable
    private let annotations: AnnotationTable
    private let locations: LocationTable
    private let characters: CharacterTable
    private let specs: ActionSpecTable

    init(
        database: Database,
        channel: ChannelRecord,
        configuration: MessageManagerConfiguration,
        replacesPlaces: Bool,
        now: Milliseconds
    ) throws {
        self.database = database
        self.channel = channel
        self.configuration = configuration
        self.replacesPlaces = replacesPlaces
        self.now = now
        hashtags = try HashtagTable(database)
        annotations = try AnnotationTable(database)
        locations = try LocationTable(database)
        characters = try CharacterTable(database)
        specs = ActionSpecTable(database: database)
    }

    /// Inserts the rows of a message that has none.
    ///
    /// - Parameter isNewMessage: Whether ``finish(newMessages:)`` adds the message to the indexes.
    func insert(_ derivation: MessageDerivation, of localID: Int64, isNewMessage: Bool) throws {
        for hashtag in derivation.hashtags { try hashtags.insert(hashtag, of: localID) }
        for count in derivation.annotations { try annotations.insert(count, of: localID) }
        if let pairs = derivation.pairs { try characters.insert(pairs, of: localID) }
        if !derivation.locations.isEmpty {
            try locations.insert(
                resolving: derivation.locations,
                of: localID,
                indexing: !isNewMessage,
                replacesPlaces: replacesPlaces,
                now: now
            )
        }
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
    }

    /// Replaces the rows of a message.
    func replace(of localID: Int64, with derivation: MessageDerivation) throws {
        try hashtags.delete(of: localID)
        try annotations.delete(of: localID)
        try locations.delete(of: localID)
        try characters.delete(of: localID)
        if channel.kind == .action { try specs.delete(action: localID) }
        try insert(derivation, of: localID, isNewMessage: false)
    }

    /// Adds new messages to the full-text indexes, and resolves the specs that wait for them.
    func finish(newMessages range: ClosedRange<Int64>) throws {
        try MessageTable(database: database).index(range)
        try locations.index(range)
        for action in try ChannelTable(database: database).actionChannels(target: channel.id) {
            try specs.resolve(targets: range, channel: action)
        }
    }
}
