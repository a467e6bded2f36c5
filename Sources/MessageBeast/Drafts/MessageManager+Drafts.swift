public import AppNet
internal import GRDB
internal import HeliumJSON

// Drafts are stored like messages. They are not sent, listed or found until they are promoted.

extension MessageManager {
    /// Stores a draft. It may break rules of the service, which are checked when it is promoted.
    ///
    /// - Parameters:
    ///   - message: The content.
    ///   - channel: A stored channel.
    ///   - attachments: The files that it uses. They remain staged for the draft and are uploaded when it is promoted.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/queueFull`` for too many drafts,
    ///   ``MessageBeastError/Kind/notFound`` for a file that is not staged, and ``MessageBeastError/Kind/invalidArgument``
    ///   for an action channel and for a file that is named twice.
    nonisolated public func createDraft(
        _ message: Message,
        in channel: AppNetChannel.ID,
        attachments: [PendingFileAttachment] = []
    ) async throws -> MessagePlus {
        let (id, json) = (context.random.uuid(), try Self.document(of: message))
        let (now, limit) = (context.now, context.options.maximumUnsent)
        return try await context.write(try context.life.term()) { database in
            let drafts = DraftTable(database: database)
            guard try drafts.count() < limit else {
                throw MessageBeastError(.queueFull, "\(limit) drafts are already stored")
            }
            try MessageCreation.check(ChannelTable(database: database).required(channel.text))
            let localID = try drafts.insert(json, id: id, channel: channel.text, date: now, created: now)
            try PendingFileTable(database: database).attach(attachments, to: localID)
            return try Self.draft(Message.ID(id), in: database)
        }
    }

    /// Returns the drafts of a channel, or of all channels, newest first.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func drafts(in channel: AppNetChannel.ID? = nil) async throws -> [MessagePlus] {
        try await context.read { try DraftTable(database: $0).drafts(in: channel?.text).messages }
    }

    /// Returns the draft with an id; `nil` if there is none.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func draft(_ id: Message.ID) async throws -> MessagePlus? {
        try await context.read { try DraftTable(database: $0).draft(id.text) }
    }

    /// Replaces the content of a draft, which becomes the newest draft.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound``.
    nonisolated public func updateDraft(_ id: Message.ID, to message: Message) async throws -> MessagePlus {
        let (json, now) = (try Self.document(of: message), context.now)
        return try await context.write(try context.life.term()) { database in
            let drafts = DraftTable(database: database)
            try drafts.update(try drafts.required(id).localID, json: json, date: now)
            return try Self.draft(id, in: database)
        }
    }

    /// Removes a draft.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound``.
    nonisolated public func deleteDraft(_ id: Message.ID) async throws {
        try await context.write(try context.life.term()) { database in
            let draft = try DraftTable(database: database).required(id)
            // A draft was never sent, so no copy of it can arrive.
            try MessageRemoval(database: database).remove([draft.localID], retiresTokens: false)
        }
        outbox.files.wake()
    }

    /// Turns a draft into an unsent message, with its id and its files, and starts sending it.
    ///
    /// - Parameters:
    ///   - id: The id of the draft.
    ///   - sendsImmediately: Whether sending starts at once. If `false`, the message waits until the channel is next
    ///     sent. Default: `true`.
    /// - Throws: The errors of ``create(_:in:attachments:sendsImmediately:)``, including
    ///   ``MessageBeastError/Kind/notFound``. The draft remains in that case.
    nonisolated public func promoteDraft(_ id: Message.ID, sendsImmediately: Bool = true) async throws -> MessagePlus {
        let context = context
        return try await context.write(try context.life.term(), sends: sendsImmediately) { database in
            let draft = try DraftTable(database: database).required(id)
            try DraftPromotion(context: context, database: database).promote(draft, id: id)
            let reader = MessageReader(database: database, configuration: context.configuration)
            return try reader.requiredMessage(localID: draft.localID)
        }
    }

    private static func draft(_ id: Message.ID, in database: Database) throws -> MessagePlus {
        guard let draft = try DraftTable(database: database).draft(id.text) else {
            throw MessageBeastError(.notFound, "there is no draft with the id \(id)")
        }
        return draft
    }

    private static func document(of message: Message) throws -> String {
        var message = message
        message.id = nil
        message.channelID = nil
        return try IncomingMessage.text(of: message)
    }
}

/// Turns a draft into an unsent message.
struct DraftPromotion {
    let context: EngineContext
    let database: Database

    func promote(_ draft: Draft, id: Message.ID) throws {
        guard let message = try? HeliumJSONDecoder().decode(Message.self, from: draft.json) else {
            throw MessageBeastError(.damaged, "a stored draft cannot be read")
        }
        let channel = try ChannelTable(database: database).required(draft.channel)
        try MessageCreation.check(channel)
        let now = context.now
        let creation = MessageCreation(context: context, channel: AppNetChannel.ID(draft.channel))
        let files = try MessageRow.attachments(of: draft.localID, in: database)
        let prepared = try creation.prepare(message, files, token: id.text, displayDate: now)
        let outbox = OutboxTable(database: database)
        try outbox.checkRoom(context.options.maximumUnsent)
        let dependency = try ReplyTarget(database: database).dependency(of: prepared.message)
        let sequence = try outbox.nextSequence()
        try DraftTable(database: database).promote(draft.localID, to: prepared, sequence: sequence, created: now)
        let derived = try DerivedRows(
            database: database,
            channel: channel,
            configuration: context.configuration,
            now: now
        )
        try derived.insert(prepared.derivation, of: draft.localID, isNewMessage: false)
        try outbox.insert(draft.localID, sequence: sequence, dependingOn: dependency)
    }
}
