internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Stores an unsent message (Docs/Protocols/MessageBeast.md §4.1).
struct MessageCreation: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID

    /// Checks a message and stores it with everything derived from it.
    ///
    /// - Parameter sends: Whether sending starts at once.
    /// - Returns: The stored message.
    /// - Throws: ``MessageBeastError``, `AppNetError` for a message that breaks a rule of the service. Nothing is
    ///   stored in that case.
    func create(
        _ message: Message,
        attachments: [PendingFileAttachment] = [],
        sends: Bool = true
    ) async throws -> MessagePlus {
        let term = try context.life.term()
        let token = context.random.uuid()
        let now = context.now
        let prepared = try prepare(message, attachments, token: token, displayDate: now)
        let (id, configuration, limit) = (channel.text, context.configuration, context.options.maximumUnsent)
        let stored: @Sendable (MessagePlus) -> Void = { [context] _ in context.reached(.created) }
        return try await context.write(term, sends: sends, committed: stored) { [context] database in
            let channel = try ChannelTable(database: database).required(id)
            try Self.check(channel)
            let outbox = OutboxTable(database: database)
            try outbox.checkRoom(limit)
            let dependency = try ReplyTarget(database: database).dependency(of: prepared.message)
            let derived = try DerivedRows(
                database: database,
                channel: channel,
                configuration: configuration,
                now: now
            )
            let localID = try outbox.append(
                prepared,
                token: token,
                created: now,
                with: derived,
                dependingOn: dependency
            )
            try PendingFileTable(database: database).attach(attachments, to: localID)
            let reader = MessageReader(database: database, configuration: configuration)
            let message = try reader.requiredMessage(localID: localID)
            context.reached(.creating)
            return message
        }
    }

    /// Checks that an app may write messages of a channel itself.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for an action channel.
    static func check(_ channel: ChannelRecord) throws {
        guard channel.kind == .private else {
            throw MessageBeastError(
                .invalidArgument,
                "messages of an action channel are created only by applying the action"
            )
        }
    }

    /// Checks a message in the form in which it will be sent.
    ///
    /// - Parameter displayDate: The display date, unless the message specifies another one.
    func prepare(
        _ message: Message,
        _ attachments: [PendingFileAttachment],
        token: String,
        displayDate: Milliseconds
    ) throws -> UnsentMessage {
        try PendingFileTable.check(attachments)
        var message = message
        if message.text?.isEmpty == true { message.text = nil }
        message.annotations?.removeAll { $0.type.hasSameBytes(as: MessageBeastNames.token) }
        let hasContent = message.annotations?.isEmpty == false || !attachments.isEmpty
        guard message.text != nil || (message.isMachineOnly == true && hasContent) else {
            throw MessageBeastError(
                .textMissing,
                "a message without text must be machine-only and must have an annotation or an attachment"
            )
        }
        guard message.text != nil || context.client.dialect == .appNet else {
            throw MessageBeastError(.unsupportedByDialect, "messages of pnut.io must have a text")
        }
        if message.isMachineOnly != true, message.firstAnnotation(ofType: MessageBeastNames.displayDate) == nil {
            message.addDisplayDate(displayDate.date)
        }
        message.setToken(token)
        message.id = nil
        message.channelID = nil
        message.user = nil
        message.userID = context.account
        message.createdAt = nil
        let files = attachments.map { AttachedFile.placeholder(isOEmbed: $0.isOEmbed) }
        let unsent = try UnsentMessage(message, files, configuration: context.configuration, now: displayDate)
        var posted = unsent.posted
        posted.append(files)
        try context.client.messages.validate(posted, in: channel)
        return unsent
    }
}

/// A message of the outbox.
struct UnsentMessage: Sendable {
    /// The stored form of the message, with the hashtags and mentions that were found here.
    let message: Message
    let json: String
    let derivation: MessageDerivation

    /// - Parameter files: The files that wait for upload. Their annotations count as present.
    init(
        _ message: Message,
        _ files: [AttachedFile],
        configuration: MessageManagerConfiguration,
        now: Milliseconds
    ) throws {
        var message = message
        if let text = message.text {
            let processor = TextProcessor(
                parsesLinks: message.entities?.parsesLinks == true,
                parsesMarkdownLinks: message.entities?.parsesMarkdownLinks == true
            )
            let found = processor.process(text, links: message.entities?.links).entities
            var entities = message.entities ?? Entities()
            entities.hashtags = found?.hashtags
            entities.mentions = found?.mentions
            message.entities = entities
        }
        self.message = message
        json = try IncomingMessage.text(of: message)
        message.append(files)
        derivation = MessageDerivation(message, createdAt: now.date, configuration: configuration)
    }

    /// The message to send, without hashtags and mentions: the service finds them itself.
    var posted: Message { Self.posted(message) }

    static func posted(_ message: Message) -> Message {
        var message = message
        message.userID = nil
        if var entities = message.entities {
            entities.hashtags = nil
            entities.mentions = nil
            message.entities = entities == Entities() ? nil : entities
        }
        return message
    }
}

extension OutboxTable {
    /// Stores an unsent message, with everything derived from it, at the end of the queue.
    ///
    /// - Returns: The local id.
    func append(
        _ message: UnsentMessage,
        token: String,
        created: Milliseconds,
        with derived: DerivedRows,
        dependingOn dependency: Int64? = nil
    ) throws -> Int64 {
        let sequence = try nextSequence()
        let localID = try MessageTable(database: database).insertUnsent(
            message,
            token: token,
            channel: derived.channel.id,
            sequence: sequence,
            created: created
        )
        try derived.insert(message.derivation, of: localID, isNewMessage: false)
        try insert(localID, sequence: sequence, dependingOn: dependency)
        return localID
    }
}

extension MessageTable {
    /// Inserts an unsent message. The caller inserts its derived rows.
    ///
    /// - Returns: The local id, which is higher than every other one.
    func insertUnsent(
        _ message: UnsentMessage,
        token: String,
        channel: String,
        sequence: Int64,
        created: Milliseconds
    ) throws -> Int64 {
        try database.cachedStatement(
            sql: """
                INSERT INTO message
                    (id, channel_id, display_date_ms, sort_key, created_ms, kind, client_token, json_version, text, json)
                VALUES (?1, ?2, ?3, ?4, ?5, 'unsent', ?1, ?6, ?7, ?8)
                """
        ).execute(arguments: [
            token, channel, message.derivation.displayDate.value, Self.unsentSortKey + sequence, created.value,
            IncomingMessage.jsonVersion, message.derivation.text, message.json,
        ])
        return database.lastInsertedRowID
    }

    /// The offset of the sort keys of unsent messages, which are the newest among messages with equal dates.
    static let unsentSortKey: Int64 = 1 << 62
}
