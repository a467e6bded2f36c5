import HeliumCore
import HeliumJSON
import JetstreamCore
import JetstreamHosting

/// All change sets of a course from their making to their outcome, and what the server has committed.
final class ChangeLedger {
    /// Identifies a client's message in all sessions.
    struct MessageKey: Hashable {
        let token: String
        let index: Int
    }

    /// A change set of a client's process.
    final class Record {
        let name: String
        let isAtomic: Bool
        /// The set, while its document lives.
        weak var set: ChangeSet?
        /// The set's contents, which may change until it is sent.
        var changes: OutgoingChanges?
        /// The message with the set; `nil` until it is sent.
        var message: MessageKey?
        /// Whether the connection has settled it, although the scope may not know.
        var isSettled = false
        /// Whether the outcome came while a state was applied.
        var isRebased = false
        /// Whether the adds of later sets have all its changes.
        var isCarried = false
        /// The outcome that the set's observers were told.
        var outcome: ChangeSet.State?
        /// Whether a later process has reported it.
        var isRecovered = false

        init(_ name: String, isAtomic: Bool) {
            self.name = name
            self.isAtomic = isAtomic
        }
    }

    /// Whether the server has a store to begin with.
    var hasStore = false
    private(set) var records: [Record] = []
    private(set) var byMessage: [MessageKey: Record] = [:]
    /// For each fragment of a message whether the server accepted it, as it was committed.
    private(set) var processed: [MessageKey: [Bool]] = [:]
    /// The tokens of the sessions that the store has.
    private(set) var tokens: [Int: String] = [:]
    /// The sessions that a client knows to be lost, or has ended with.
    var lostTokens: Set<String> = []
    /// The classes of the objects that the store has, and their identifiers in the order of their making.
    private(set) var objects: [String: String] = [:]
    private(set) var identifiers: [String] = []
    /// The values of the store by object and property.
    private var values: [String: JSONObject] = [:]

    func add(_ record: Record) { records.append(record) }

    /// Whether the server could resume a session.
    func hasSession(_ token: String) -> Bool { tokens.values.contains(token) }

    /// Forgets what the server had stored.
    func loseStore() {
        hasStore = false
        tokens = [:]
        objects = [:]
        identifiers = []
        values = [:]
    }
}

// MARK: The server

extension ChangeLedger {
    /// Follows a change that the server has committed.
    func committed(_ change: StoreChange, in world: SyncWorld) {
        switch change {
        case .addSession(let info, let token): tokens[info.id] = token
        case .removeSession(let id): tokens[id] = nil
        case .addObject(_, let id, let className, let properties):
            objects[id.text] = className
            identifiers.append(id.text)
            values[id.text] = properties
        case .setProperties(_, let id, let properties): values[id.text]?.merge(properties) { $1 }
        case .removeObject(_, let id):
            objects[id.text] = nil
            identifiers.removeAll { $0 == id.text }
            values[id.text] = nil
        case .retain(let session, let message):
            guard message.kind == .scopeSyncReply, let token = tokens[session], let index = message.number else {
                return
            }
            replied(MessageKey(token: token, index: index), message.body.bytes, in: world)
        case .counters, .fetched, .prune, .assign: break
        }
    }

    /// Follows a reply to a change set, which is committed with the set's effects.
    private func replied(_ key: MessageKey, _ body: [UInt8], in world: SyncWorld) {
        let json = try? JSONValue(parsing: [UInt8(ascii: "{")] + body + [UInt8(ascii: "}")])
        let accepted = (json?["fragmentReplies"]?.arrayValue ?? []).map { $0["error"] == nil }
        if processed[key] != nil { return world.fail("the server processed message \(key.index) twice") }
        processed[key] = accepted
        guard let record = byMessage[key], let changes = record.changes else {
            return world.fail("the server processed message \(key.index), which no client has sent")
        }
        world.note("\(record.name) is committed: \(accepted.map { $0 ? "yes" : "no" }.joined(separator: " "))")
        if accepted.contains(false) { world.count(record.isAtomic ? .refusedAtomic : .writeRefused) }
        if record.isAtomic, accepted.contains(true), accepted.contains(false) {
            return world.fail("\(record.name) is atomic and was accepted in part")
        }
        for (fragment, isAccepted) in zip(changes.fragments, accepted) where isAccepted {
            // An object that the set has taken out of the tree is gone.
            guard let stored = values[fragment.uuid.wireForm] else { continue }
            for (name, value) in fragment.properties where stored[name] ?? .null != value {
                world.fail("\(record.name) was accepted, but the server has \(stored[name] ?? .null) as \(name)")
            }
        }
    }
}

// MARK: Clients

extension ChangeLedger {
    /// Follows a message with a change set that a client is about to send.
    func sent(_ sync: JetstreamMessage.ScopeSync, _ token: String, pending: [Record], in world: SyncWorld) {
        let key = MessageKey(token: token, index: sync.index)
        if let known = byMessage[key] {
            world.count(.redeliveredByClient)
            if known.changes?.fragments != sync.fragments {
                world.fail("\(known.name) was sent again with other contents")
            }
            return
        }
        let record = pending.first { record in
            record.outcome == nil && record.message == nil && record.changes?.fragments == sync.fragments
        }
        guard let record else {
            return world.fail("message \(sync.index) holds no change set that waits to be sent")
        }
        record.message = key
        byMessage[key] = record
    }

    /// Checks an outcome at the time when it is told.
    func told(_ record: Record, _ set: ChangeSet, in world: SyncWorld) {
        if record.outcome != nil { return world.fail("\(record.name) was settled twice") }
        record.outcome = set.state
        let error = set.error
        world.note("\(record.name) is \(set.state) \(error.map { "\($0.kind) \($0.delivery)" } ?? "")")
        switch set.state {
        case .syncing: break
        case .completed:
            world.count(.completed)
            guard let key = record.message else {
                if !record.isRebased, !record.isCarried {
                    world.fail("\(record.name) is completed, but was not sent")
                }
                return
            }
            if processed[key]?.allSatisfy({ $0 }) != true {
                world.fail("\(record.name) is completed, but the server has \(describe(key))")
            }
        case .partiallyReverted, .reverted:
            world.count(set.state == .reverted ? .reverted : .partiallyReverted)
            if let error, !record.isCarried { checkRefusal(of: record, error, in: world) }
        case .maybeSent:
            world.count(.maybeSent)
            if !record.isCarried { checkDoubt(record, in: world) }
        }
    }

    private func checkRefusal(of record: Record, _ error: JetstreamError, in world: SyncWorld) {
        if error.kind == .changesRefused, let key = record.message {
            if processed[key] != error.fragmentErrors.map({ $0 == nil }) {
                world.fail("\(record.name) is refused in part or whole, but the server has \(describe(key))")
            }
        } else if error.kind == .objectRemoved, error.delivery == .answered, let key = record.message {
            // What was left of the set on the state of a new session was sent.
            if processed[key]?.allSatisfy({ $0 }) != true {
                world.fail("\(record.name) lost objects, but the server has \(describe(key)) of the rest")
            }
        } else if error.delivery == .notSent, record.message == nil {
            world.count(.neverSent)
        } else {
            world.fail("\(record.name) ended with \(error), sent as \(record.message.map(\.index) ?? 0)")
        }
    }

    /// Checks that a set's outcome may be unknown.
    private func checkDoubt(_ record: Record, in world: SyncWorld) {
        guard let key = record.message else { return world.fail("\(record.name) is in doubt, but was not sent") }
        if !lostTokens.contains(key.token) { world.fail("\(record.name) is in doubt, but its session was not lost") }
    }

    /// Checks the outcome of a set that an earlier process had sent.
    func recovered(_ key: MessageKey, _ result: Result<[FragmentReply], JetstreamError>, in world: SyncWorld) {
        guard let record = byMessage[key] else {
            return world.fail("message \(key.index) is recovered, but was not sent")
        }
        record.isRecovered = true
        switch result {
        case .success(let replies):
            world.count(.recovered)
            if processed[key] != replies.map(\.isAccepted) {
                world.fail("\(record.name) is recovered as replied, but the server has \(describe(key))")
            }
        case .failure(let error):
            world.count(.recoveredInDoubt)
            if error.delivery != .maybeSent { world.fail("\(record.name) is recovered with \(error)") }
            checkDoubt(record, in: world)
        }
    }

    private func describe(_ key: MessageKey) -> String { processed[key].map { "replied \($0)" } ?? "not processed it" }

    /// Checks the sets whose processes were killed: each is reported by a later process, or was never processed.
    func checkUntold() throws {
        for record in records where record.outcome == nil && !record.isSettled && !record.isRecovered {
            guard let key = record.message, processed[key] != nil else { continue }
            throw Finding("\(record.name) was processed, but its client was killed and never learned of it")
        }
    }
}
