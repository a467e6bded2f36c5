internal import Foundation
internal import GRDB
internal import HeliumCore

/// The result of storing messages.
struct IngestSummary: Hashable, Sendable {
    var inserted = 0
    var updated = 0
    /// The number of tombstones whose message was stored.
    var removed = 0
    /// The messages whose refused deletion ended, because the service no longer has them.
    var deleted: [String] = []
    /// The number of messages that were not stored because their deletion is pending.
    var skipped = 0
    /// The messages of an action channel without a target.
    var withoutTarget: [String] = []
    /// The messages that have the token of another one but are not network duplicates.
    var changedCopies: [String] = []
    /// The temporary and the new ids of messages of the outbox that the page contained.
    var adopted: [Adoption] = []
    /// The messages that a filter excluded and that were stored or deleted nevertheless, because of their tokens.
    var included: Set<String> = []

    struct Adoption: Hashable, Sendable {
        let temporaryID: String
        let id: String
    }
}

/// Stores a page of messages of one channel, with everything derived from them, in the transaction of the page.
///
/// Unchanged content writes nothing. A known message is updated in place and keeps its local identity.
struct PageIngest {
    let channel: ChannelRecord
    let configuration: MessageManagerConfiguration
    let now: Milliseconds
    let random: RandomSource

    /// Stores the messages.
    ///
    /// - Parameter excluded: The ids of messages that a filter excludes. They are stored only if they belong to the
    ///   outbox or are copies: without that, a copy would remain on the service when the cursor has passed it.
    func store(
        _ page: [IncomingMessage],
        excluding excluded: Set<String> = [],
        in database: Database
    ) throws -> IngestSummary {
        var summary = IngestSummary()
        let page = Self.distinct(page)
        let table = MessageTable(database: database)
        var known = try table.localIDs(of: page.map(\.id))
        var deleting = try PendingDeletionTable(database: database).pending(among: page.map(\.id), in: channel.id)
        deleting.formUnion(
            try DeletedIDTable(database: database).hidden(among: page.map(\.id).filter { known[$0] == nil })
        )
        let derived = try DerivedRows(
            database: database,
            channel: channel,
            configuration: configuration,
            now: now
        )
        let insertion = try table.insertion()
        let rules = try page.contains { $0.token != nil } ? rules(in: database) : nil
        var tombstones: [Int64] = []
        var missing: [String] = []
        let copies = MessageCopies(database: database, derived: derived, channel: channel, random: random)
        var actions: [(localID: Int64, target: String)] = []
        // The new rows that are not in the full-text index yet. They are indexed before anything else is written,
        // because other writes may insert rows between them, or change or remove them.
        var new: ClosedRange<Int64>?
        func index() throws {
            guard let range = new else { return }
            new = nil
            try derived.finish(newMessages: range)
        }
        // Oldest first, so that the newest spelling of a tag and the newest place are kept.
        for message in page.reversed() {
            let localID = known[message.id]
            switch Self.effect(of: message, deleting: deleting) {
            case .tombstone:
                try index()
                guard let localID else {
                    if deleting.contains(message.id) {
                        try endDeletion(of: message.id, &summary, in: database)
                    } else {
                        missing.append(message.id)
                    }
                    continue
                }
                // A message of another channel is not one that this channel has lost.
                guard try table.channel(of: localID)?.hasSameBytes(as: channel.id) == true else { continue }
                tombstones.append(localID)
                try MessageRemoval(database: database).removeActions(on: localID)
            case .skipped: summary.skipped += 1
            case .content:
                let decision = try localID == nil ? rules?.decision(on: message) ?? .ordinary : .ordinary
                if excluded.contains(message.id) {
                    if decision.isInsertion { continue }
                    summary.included.insert(message.id)
                }
                let stored: Int64
                if let localID {
                    guard try table.update(localID, with: message) else { continue }
                    summary.updated += 1
                    try derived.replace(of: localID, with: message.derivation)
                    stored = localID
                } else if !decision.isInsertion {
                    try index()
                    try take(message, decision, derived, &summary, in: database)
                    if case .replace(_, let higher) = decision {
                        // The page may also contain the copy with the higher id, which no longer has a row.
                        known[higher] = nil
                        deleting.insert(higher)
                    }
                    continue
                } else {
                    if case .changedCopy = decision { summary.changedCopies.append(message.id) }
                    stored = try table.insert(message, channel: channel.id, by: insertion)
                    try rules?.keepToken(of: message, stored)
                    summary.inserted += 1
                    new = (new?.lowerBound ?? stored)...stored
                    try derived.insert(message.derivation, of: stored, isNewMessage: true)
                    if case .successor(let missing) = decision {
                        try index()
                        try copies.succeed(missing, by: message, stored)
                    }
                }
                guard channel.kind == .action else { continue }
                if let target = message.derivation.targetMessageID {
                    actions.append((stored, target))
                } else {
                    summary.withoutTarget.append(message.id)
                }
            }
        }
        try index()
        if !actions.isEmpty {
            try copies.follow(actions)
            let gone = try DeletedIDTable(database: database).deletedHere(among: actions.map(\.target))
            try MessageRemoval(database: database).removeActions(onDeleted: gone)
        }
        try MessageRemoval(database: database).removeActions(onMissing: missing, of: channel.id)
        try MessageRemoval(database: database).remove(tombstones, areMissing: true)
        summary.removed = tombstones.count
        return summary
    }

    /// Ends the deletion of a message that the service no longer has, if the service had refused it. Others end with
    /// their requests.
    private func endDeletion(of id: String, _ summary: inout IngestSummary, in database: Database) throws {
        if channel.kind == .action { try MissingActions(database: database).forgetDeleted(id) }
        guard try PendingDeletionTable(database: database).endParked(id, channel: channel.id) else { return }
        try MessageRemoval(database: database).removeActions(onDeleted: [id])
        summary.deleted.append(id)
    }

    /// Stores a new message that is already stored under another id, or that must not be restored.
    private func take(
        _ message: IncomingMessage,
        _ decision: TokenRules.Decision,
        _ derived: DerivedRows,
        _ summary: inout IngestSummary,
        in database: Database
    ) throws {
        let deletions = PendingDeletionTable(database: database)
        let adoption = MessageAdoption(database: database, derived: derived, channel: channel, random: random)
        let copies = MessageCopies(database: database, derived: derived, channel: channel, random: random)
        switch decision {
        case .ordinary, .changedCopy, .successor: break
        case .adopt(let row):
            if case .sent = try adoption.adopt(row, as: message) {
                summary.adopted.append(IngestSummary.Adoption(temporaryID: row.token, id: message.id))
                summary.updated += 1
            }
        case .discard:
            try deletions.insert(message.id, channel: channel.id)
            if let token = message.token { try deletions.makeFinal(token: token) }
            summary.skipped += 1
        case .discardCopy(let localID):
            try copies.discard(message.id, besides: localID)
            summary.skipped += 1
        case .replace(let localID, let higher):
            try copies.replace(localID, id: higher, by: message)
            summary.updated += 1
        }
    }

    private func rules(in database: Database) throws -> TokenRules? {
        try MetaTable(database: database).value(.account).map {
            TokenRules(database: database, channel: channel, account: $0)
        }
    }

    /// The effect of a message from the service.
    private enum IngestEffect {
        case tombstone
        case skipped
        case content
    }

    /// Decides on the effect of a message of a page.
    private static func effect(of message: IncomingMessage, deleting: Set<String>) -> IngestEffect {
        if message.isDeleted { return .tombstone }
        return deleting.contains(message.id) ? .skipped : .content
    }

    /// Returns the first of the messages with each id.
    ///
    /// New rows must not be updated before the end of the page, because they are not in the full-text index yet.
    private static func distinct(_ page: [IncomingMessage]) -> [IncomingMessage] {
        var ids = Set<String>(minimumCapacity: page.count)
        return page.filter { ids.insert($0.id).inserted }
    }
}
