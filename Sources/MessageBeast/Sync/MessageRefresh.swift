internal import AppNet
internal import GRDB
internal import HeliumCore

/// The result of fetching one message again.
public enum RefreshOutcome: Sendable, Equatable {
    /// The message in its current stored form.
    case refreshed(MessagePlus)
    /// The service no longer has the message, or it was deleted here. It is not stored.
    case gone
}

/// Fetches messages by their ids.
struct MessageRefresh: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID

    private static let batchSize = 200

    /// Fetches one message and stores it, or removes it if the service no longer has it. Unsent messages make no
    /// request.
    ///
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for a message that is stored in another channel.
    func refresh(_ id: Message.ID) async throws -> RefreshOutcome {
        let term = try context.life.term()
        try await checkChannel(of: id)
        let stored: MessagePlus?
        if let sent = try await sentIDs(of: [id]).first {
            let message = try await fetch(sent, try await parameters())
            stored = try await store([message ?? Message(id: sent, isDeleted: true)], term, reading: [id]).first
        } else {
            let configuration = context.configuration
            stored = try await context.read { database in
                try MessageReader(database: database, configuration: configuration).message(id: id)
            }
        }
        return stored.map { .refreshed($0) } ?? .gone
    }

    /// The service does not have the message in this channel. Its response would say nothing about the message.
    private func checkChannel(of id: Message.ID) async throws {
        let stored = try await context.read { database in
            let table = MessageTable(database: database)
            return try table.localID(of: id).flatMap(table.channel)
        }
        guard stored?.hasSameBytes(as: channel.text) ?? true else {
            throw MessageBeastError(.invalidArgument, "the message \(id) is in another channel")
        }
    }

    /// Returns the ids of messages on the service, without duplicates. Temporary ids never leave the device.
    private func sentIDs(of ids: [Message.ID]) async throws -> [Message.ID] {
        guard ids.contains(where: \.isTemporary) else { return ids }
        return try await context.read { database in
            let table = MessageTable(database: database)
            var seen: Set<Message.ID> = []
            return try ids.compactMap { try table.sentID(of: $0) }.filter { seen.insert($0).inserted }
        }
    }

    /// Fetches messages and stores them. Unsent messages, and messages that the service does not return, are unchanged.
    ///
    /// So are ids that the service cannot have, and messages that cannot be decoded or that were not requested. They are
    /// reported by the warning ``MessageManager/Event/Warning/unreadable(_:in:)``.
    func refresh(_ ids: [Message.ID]) async throws -> [MessagePlus] {
        let term = try context.life.term()
        let parameters = try await parameters()
        let messages = context.client.messages
        var unreadable = UnreadableItems()
        // One invalid id would make the service refuse the request for all of them.
        let ids = try await sentIDs(of: ids).filter { id in
            if PageCursors.number(id) != nil { return true }
            unreadable.add(id: id.text, reason: "the id is not a decimal number")
            return false
        }
        // The result of one request is read in the transaction that stores it, so that nothing fails afterwards.
        let isSingle = ids.count <= Self.batchSize
        var stored: [Message.ID] = []
        var result: [MessagePlus] = []
        for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
            try Task.checkCancellation()
            let batch = Array(ids[start..<min(start + Self.batchSize, ids.count)])
            let (elements, others) = try await ReadAttempts(context: context)({
                try await messages.readable(batch, parameters: parameters)
            })
            unreadable.add(others)
            let asked = Set(batch)
            let found = elements.filter { message in
                if message.channelID == channel, message.id.map(asked.contains) ?? false { return true }
                unreadable.add(id: message.id?.text, reason: "the message was not requested, or is of another channel")
                return false
            }
            let storing = found.compactMap(\.id)
            result = try await store(found, term, reading: isSingle ? storing : [])
            stored += storing
        }
        if !unreadable.isEmpty { context.events.send(.warning(.unreadable(unreadable, in: channel))) }
        if isSingle { return result }
        let configuration = context.configuration
        let found = stored
        return try await context.read { database in
            try MessageReader(database: database, configuration: configuration).messages(ids: found)
        }
    }

    /// Returns a message of the service; `nil` if it was deleted.
    func fetch(_ id: Message.ID, _ parameters: GeneralParameters) async throws -> Message? {
        let (messages, channel) = (context.client.messages, channel)
        do {
            let found = try await ReadAttempts(context: context)({
                try await messages.get(id, in: channel, parameters: parameters)
            }
            )
            guard found.id == id, found.channelID == nil || found.channelID == channel else {
                throw MessageBeastError(.protocolViolation, "the service returned another message")
            }
            return found.isDeleted == true ? nil : found
        } catch let error as AppNetError where error.kind == .notFound || error.status == 410 {
            return nil
        }
    }

    func parameters() async throws -> GeneralParameters {
        let id = channel.text
        return try await context.read { database in
            let channel = try ChannelTable(database: database).required(id)
            return ChannelParameters.complete(of: channel)
        }
    }

    /// Stores messages of the service.
    ///
    /// - Parameter ids: The ids of the messages to return. Default: none.
    /// - Returns: The messages with these ids that are stored afterwards, newest first.
    @discardableResult
    func store(
        _ messages: [Message],
        _ term: EngineLife.Term,
        reading ids: [Message.ID] = []
    ) async throws -> [MessagePlus] {
        let (id, configuration, now, random) = (channel.text, context.configuration, context.now, context.random)
        let page = try messages.map { try IncomingMessage($0, configuration: configuration, now: now.date) }
        let (summary, stored) = try await context.write(term) { database in
            let channel = try ChannelTable(database: database).required(id)
            let ingest = PageIngest(channel: channel, configuration: configuration, now: now, random: random)
            let summary = try ingest.store(page, in: database)
            return (summary, try MessageReader(database: database, configuration: configuration).messages(ids: ids))
        }
        summary.report(for: channel, context)
        return stored
    }
}
