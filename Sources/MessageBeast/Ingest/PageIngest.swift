internal import Foundation
internal import GRDB
internal import HeliumCore

/// The result of storing messages.
struct IngestSummary: Hashable, Sendable {
    var inserted = 0
    var updated = 0
    /// Tombstones whose message was stored.
    var removed = 0
    /// Messages that were not stored, because their deletion is pending.
    var skipped = 0
    /// Messages of an action channel without a target.
    var withoutTarget: [String] = []
    /// Messages with the token of another one, which are no copies that the network has made.
    var changedCopies: [String] = []
    /// The temporary and the new ids of messages of the outbox that the page has brought.
    var adopted: [Adoption] = []
    /// The channels that have something to send now.
    var released: [String] = []

    struct Adoption: Hashable, Sendable {
        let temporaryID: String
        let id: String
    }
}

/// Stores a page of messages of one channel, with everything that is derived from them, in the transaction of the page.
///
/// Equal content writes nothing. A known message is updated in place and keeps its local identity.
struct PageIngest {
    let channel: ChannelRecord
    let configuration: MessageManagerConfiguration
    let now: Milliseconds
    let random: RandomSource

    /// Stores the messages.
    func store(_ page: [IncomingMessage], in database: Database) throws -> IngestSummary {
        var summary = IngestSummary()
        let page = Self.distinct(page)
        let table = MessageTable(database: database)
        var known = try table.localIDs(of: page.map(\.id))
        var deleting = try PendingDeletionTable(database: database).pending(among: page.map(\.id), in: channel.id)
        let derived = try DerivedRows(
            database: database,
            channel: channel,
            configuration: configuration,
            now: now
        )
        let insertion = try table.insertion()
        let rules = try page.contains { $0.token != nil } ? rules(in: database) : nil
        var tombstones: [Int64] = []
        // The new rows that are not in the full-text index. Nothing else is written until they are: others may insert rows
        // between them, and change or remove them.
        var new: ClosedRange<Int64>?
        func index() throws {
            guard let range = new else { return }
            new = nil
            try derived.finish(newMessages: range)
        }
        // Oldest first, so that the newest spelling of a tag and the newest place win.
        for message in page.reversed() {
            let localID = known[message.id]
            switch Self.arrival(of: message, deleting: deleting) {
            case .tombstone:
                try index()
                if let localID { tombstones.append(localID) }
                try MessageRemoval(database: database).removeActions(on: message.id)
            case .skipped: summary.skipped += 1
            case .content:
                let decision = try localID == nil ? rules?.decision(on: message) ?? .ordinary : .ordinary
                if let localID {
                    guard try table.update(localID, with: message) else { continue }
                    summary.updated += 1
                    try derived.replace(of: localID, with: message.derivation)
                } else if !decision.isInsertion {
                    try index()
                    try take(message, decision, derived, &summary, in: database)
                    if case .replace(_, let higher) = decision {
                        // The page may bring the copy with the higher id too, which has no row any more.
                        known[higher] = nil
                        deleting.insert(higher)
                    }
                    continue
                } else {
                    if case .changedCopy = decision { summary.changedCopies.append(message.id) }
                    let localID = try table.insert(message, channel: channel.id, by: insertion)
                    try rules?.keepToken(of: message, localID)
                    summary.inserted += 1
                    new = (new?.lowerBound ?? localID)...localID
                    try derived.insert(message.derivation, of: localID, isNewMessage: true)
                }
                if channel.kind == .action, message.derivation.targetMessageID == nil {
                    summary.withoutTarget.append(message.id)
                }
            }
        }
        try index()
        try MessageRemoval(database: database).remove(tombstones, areMissing: true)
        summary.removed = tombstones.count
        return summary
    }

    /// Stores a new message that is one that is stored under another id, or one that must not come back.
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
        case .ordinary, .changedCopy: break
        case .adopt(let row):
            summary.released += try OutboxTable(database: database).channels(dependingOn: row.localID)
            if case .sent = try adoption.adopt(row, as: message) {
                summary.adopted.append(IngestSummary.Adoption(temporaryID: row.token, id: message.id))
                summary.updated += 1
            }
        case .discard:
            try deletions.insert(message.id, channel: channel.id)
            if let token = message.token { try deletions.makeFinal(token: token) }
            summary.skipped += 1
        case .discardCopy(let localID):
            summary.released += try copies.discard(message.id, besides: localID)
            summary.skipped += 1
        case .replace(let localID, let higher):
            summary.released += try copies.replace(localID, id: higher, by: message)
            summary.updated += 1
        }
    }

    private func rules(in database: Database) throws -> TokenRules? {
        try MetaTable(database: database).value(.account).map {
            TokenRules(database: database, channel: channel, account: $0)
        }
    }

    /// The effect of a message of the service.
    private enum Arrival {
        case tombstone
        case skipped
        case content
    }

    /// Decides what a message of a page does. The rules for tokens of the outbox belong here.
    private static func arrival(of message: IncomingMessage, deleting: Set<String>) -> Arrival {
        if message.isDeleted { return .tombstone }
        return deleting.contains(message.id) ? .skipped : .content
    }

    /// The first of the messages with one id. Until the end of the page, new rows are not in the full-text index, so that
    /// they must not be updated.
    private static func distinct(_ page: [IncomingMessage]) -> [IncomingMessage] {
        var ids = Set<String>(minimumCapacity: page.count)
        return page.filter { ids.insert($0.id).inserted }
    }
}
