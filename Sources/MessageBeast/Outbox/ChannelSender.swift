internal import AppNet
internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON

/// Sends the deletions and the unsent messages of one channel, one after another (Docs/Protocols/MessageBeast.md §4.2).
///
/// The caller runs at most one sender per channel in this engine. Claims exclude other engines.
struct ChannelSender: Sendable {
    let context: EngineContext
    let channel: AppNetChannel.ID
    let owners: any ClaimOwners
    let gate: SendGate
    let files: FileRunner
    /// Whether the writes are those of a pass, which reads the rows of its channel again after each of them. If `false`,
    /// they wake the loop of the channel.
    var isPass = true

    /// The delay before a message that another engine has claimed is examined again.
    static let foreignDelay = Duration.seconds(1)

    /// The next piece of work.
    private enum Step: Sendable {
        case post(OutboxRow, Outgoing, GeneralParameters)
        case reconcile(OutboxRow)
        /// The files of the next message are to be uploaded. Others of its files may be retried after the delay.
        case upload([String], others: Duration?)
        /// A message was parked with one of its files.
        case parked(OutboxRow, ParkedReason)
        case wait(Duration)
        case idle
    }

    /// A message to post.
    private struct Outgoing: Sendable {
        let message: Message
        /// The stored documents from before the claim and since then, if the claim has stored another one.
        let documents: (former: String, settled: String)?
    }

    /// Sends everything that is due.
    ///
    /// - Returns: The delay until something is due again; `nil` if nothing waits, or if only the user can change that.
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    func pass() async throws -> Duration? {
        let term = try context.life.term()
        do {
            return try await pass(term)
        } catch {
            // A request that was cancelled is over, and so is the pass. Other engines need not wait for the end of this one.
            let (id, owner) = (channel.text, owners.own)
            try? await write(term) { try OutboxTable(database: $0).disown(id, by: owner) }
            throw error
        }
    }

    private func pass(_ term: EngineLife.Term) async throws -> Duration? {
        // A failing deletion does not stop messages.
        _ = try await sendDeletions(term)
        var sent: [MessageManager.SentMessage] = []
        defer {
            if !sent.isEmpty { context.events.send(.drained(channel, sent)) }
        }
        while true {
            try Task.checkCancellation()
            if gate.needsSignIn { return nil }
            if let delay = gate.delay(clock: context.clock) { return delay }
            switch try await next(term) {
            case .post(let row, let outgoing, let parameters):
                if let pair = try await post(row, outgoing, parameters, term) { sent.append(pair) }
            case .reconcile(let row):
                let search = TokenSearch(context: context, channel: channel)
                if let pair = try await settle(row, search, term) { sent.append(pair) }
            case .upload(let ids, let others):
                files.upload(ids)
                let delay = try await sendDeletions(term)
                return [delay, others].compactMap(\.self).min()
            case .parked(let row, let reason):
                context.events.send(.parked(channel, Message.ID(row.token), reason: reason))
            // Deletions are sent again, because a message that was deleted while it was sent has queued one.
            case .wait(let delay): return min(delay, try await sendDeletions(term) ?? delay)
            case .idle: return try await sendDeletions(term)
            }
        }
    }

    /// Runs a write transaction of this sender.
    func write<Value: Sendable>(
        _ term: EngineLife.Term,
        committed: @escaping @Sendable (Value) -> Void = { _ in },
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await context.write(term, by: isPass ? .sender(channel) : nil, committed: committed, body)
    }

    /// Decides on the next message and claims it.
    private func next(_ term: EngineLife.Term) async throws -> Step {
        let (id, owners, now) = (channel.text, owners, context.now)
        return try await write(term) { database in
            let outbox = OutboxTable(database: database)
            // A channel has one claim at a time. Its outcome comes first, also if an earlier message can be sent by now.
            if let row = try outbox.claimed(in: id) {
                if let owner = row.owner, owner != owners.own, owners.isAlive(owner) {
                    return .wait(Self.foreignDelay)
                }
                if let delay = row.nextAttempt.delay(after: now) { return .wait(delay) }
                try outbox.takeOver(row.localID, owner: owners.own)
                return .reconcile(row)
            }
            let step = try outbox.first(in: id) { row -> Step? in
                // Waits for another message: those behind it do not wait for it.
                if row.isWaiting { return nil }
                if let delay = row.nextAttempt.delay(after: now) { return .wait(delay) }
                let files = PendingFileTable(database: database)
                switch try files.readiness(of: row.localID, owners: owners, now: now) {
                case .ready: break
                // A channel is sent in order, so later messages wait for these files too.
                case .due(let ids, let others):
                    try outbox.setUploading(row.localID)
                    return .upload(ids, others: others)
                case .wait(let delay): return .wait(delay)
                case .parked(let reason):
                    try outbox.park(row.localID, reason, attempts: row.attempts)
                    return .parked(row, reason)
                }
                let channel = try ChannelTable(database: database).required(id)
                guard let message = try Self.message(of: row, in: database) else {
                    try outbox.park(row.localID, .damaged, attempts: row.attempts)
                    return .parked(row, .damaged)
                }
                let cursor = try outbox.searchStart(of: row, in: channel)
                guard try outbox.claim(row.localID, owner: owners.own, cursor: cursor, now: now) else { return nil }
                return .post(row, message, ChannelParameters.parameters(of: channel))
            }
            return step ?? .idle
        }
    }

    /// Returns the message to send, with its files; `nil` if its document or that of one of its files cannot be read.
    private static func message(of row: OutboxRow, in database: Database) throws -> Outgoing? {
        let json = try String.fetchOne(
            database.cachedStatement(sql: "SELECT json FROM message WHERE local_id = ?"),
            arguments: [row.localID]
        )
        guard let json, let stored = try? HeliumJSONDecoder().decode(Message.self, from: json),
            let files = try PendingFileTable(database: database).references(of: row.localID)
        else { return nil }
        var settled = try ActionSpecTable(database: database).materialized(stored, of: row.localID)
        try ReplyTarget(database: database).resolve(&settled)
        // The message and its copies are recognized by the posted content, also if the target is removed later.
        var documents: (former: String, settled: String)?
        if settled != stored {
            let text = try IncomingMessage.text(of: settled)
            try database.cachedStatement(sql: "UPDATE message SET json = ? WHERE local_id = ?")
                .execute(arguments: [text, row.localID])
            documents = (json, text)
        }
        var message = UnsentMessage.posted(settled)
        message.append(files)
        return Outgoing(message: message, documents: documents)
    }

    // MARK: Messages

    private func post(
        _ row: OutboxRow,
        _ outgoing: Outgoing,
        _ parameters: GeneralParameters,
        _ term: EngineLife.Term
    ) async throws -> MessageManager.SentMessage? {
        do {
            context.reached(.claimed)
            let echo = try await context.client.messages.create(outgoing.message, in: channel, parameters: parameters)
            context.reached(.responded)
            gate.note(context.client.rateLimit, clock: context.clock)
            gate.forgetFailures(of: .message(row.localID, in: channel))
            guard echo.channelID == nil || echo.channelID == channel,
                let incoming = try? IncomingMessage(
                    echo,
                    configuration: context.configuration,
                    now: context.now.date
                ), !incoming.isDeleted
            else { return try await keepUnknown(row, "the response does not match the message", term) }
            return try await adopt(row, incoming, term)
        } catch let error as AppNetError {
            gate.note(error.rateLimit, clock: context.clock)
            try await fail(row, outgoing, error, term)
            return nil
        }
    }

    /// Determines whether a message reached the service.
    private func settle(_ row: OutboxRow, _ search: TokenSearch, _ term: EngineLife.Term) async throws
        -> MessageManager.SentMessage?
    {
        let finding: TokenSearch.Finding
        do {
            finding = try await search.find(row)
        } catch let error as AppNetError {
            if let asked = error.rateLimit?.retryAfter { gate.close(for: asked, clock: context.clock) }
            try await context.keepPause(error, term)
            try await failToSearch(row, error, term)
            return nil
        } catch let error as MessageBeastError where error.kind == .protocolViolation {
            return try await keepUnknown(row, error.message, afterSearch: true, term)
        }
        gate.forgetFailures(of: .search(row.localID, in: channel))
        switch finding {
        case .found(let message): return try await adopt(row, message, term)
        case .missing:
            try await write(term) { database in
                guard try OutboxTable(database: database).row(row.localID)?.isCancelled == true else {
                    return try OutboxTable(database: database).requeue(row.localID, until: Milliseconds(0))
                }
                try MessageRemoval(database: database).remove([row.localID])
            }
        case .undecided(let reason):
            try await park(row, reason, term)
        }
        return nil
    }

    /// Handles a search that failed. The outcome remains unknown.
    private func failToSearch(_ row: OutboxRow, _ error: AppNetError, _ term: EngineLife.Term) async throws {
        let message = ParkedReason(error).message
        switch context.options.failureClasses(error) {
        // The service will refuse the next search too.
        case .park, .reject:
            let reason = ParkedReason(code: OutboxTable.unknownOutcome, message: message)
            try await park(row, reason, afterSearch: true, term)
        case .waitForSignIn:
            waitForSignIn()
            try await searchLater(row, term)
        case .retry: try await searchLater(row, term)
        case .unknown, .waitForQuota:
            // Without a status, the network has failed, and a list that cannot be read does not change by waiting.
            let counts = error.status != nil || [.undecodable, .brokenList].contains(error.kind)
            guard counts else { return try await searchLater(row, term) }
            _ = try await keepUnknown(row, message, afterSearch: true, term)
        }
    }

    /// Schedules another search for a message. Nothing is posted until then.
    private func searchLater(_ row: OutboxRow, _ term: EngineLife.Term) async throws {
        let failures = gate.noteFailure(of: .search(row.localID, in: channel))
        let next = context.now + ReadAttempts.delay(afterFailures: failures, random: context.random.unit())
        try await write(term) {
            try OutboxTable(database: $0).postpone(row.localID, until: next, attempts: row.attempts)
        }
    }

    func adopt(_ row: OutboxRow, _ message: IncomingMessage, _ term: EngineLife.Term) async throws
        -> MessageManager.SentMessage?
    {
        let (id, configuration, now, random) = (channel.text, context.configuration, context.now, context.random)
        let adopted: @Sendable ((MessageAdoption.Result?, Bool)) -> Void = { [context] adopted in
            context.reached(.adopted)
            if adopted.1 { context.reached(.targetReplaced) }
        }
        let (result, _) = try await write(term, committed: adopted) { database -> (MessageAdoption.Result?, Bool) in
            let channel = try ChannelTable(database: database).required(id)
            let derived = try DerivedRows(
                database: database,
                channel: channel,
                configuration: configuration,
                now: now
            )
            let outbox = OutboxTable(database: database)
            // A page may have contained the message in the meantime, or another engine may have discarded it.
            guard let current = try outbox.row(row.localID) else {
                let late = LateResponse(database: database, channel: channel, derived: derived, random: random)
                try late.store(message, of: row)
                return (nil, false)
            }
            let hasDependants = try outbox.hasDependants(row.localID)
            let adoption = MessageAdoption(database: database, derived: derived, channel: channel, random: random)
            return (try adoption.adopt(current, as: message), hasDependants)
        }
        guard result == .sent else { return nil }
        let pair = MessageManager.SentMessage(temporaryID: Message.ID(row.token), serverID: Message.ID(message.id))
        context.events.send(.sent(channel, pair))
        return pair
    }

    private func fail(
        _ row: OutboxRow,
        _ outgoing: Outgoing,
        _ error: AppNetError,
        _ term: EngineLife.Term
    ) async throws {
        let localID = row.localID
        let failureClass = context.options.failureClasses(error)
        if failureClass != .retry { gate.forgetFailures(of: .message(localID, in: channel)) }
        // The request had no effect, so the next one may name another target, or none if the target is removed.
        if failureClass != .unknown, let (former, settled) = outgoing.documents {
            try await write(term) { database in
                try database.cachedStatement(sql: "UPDATE message SET json = ? WHERE local_id = ? AND json = ?")
                    .execute(arguments: [former, localID, settled])
            }
        }
        switch failureClass {
        case .reject: try await park(row, ParkedReason(error, needsEdit: true), term)
        case .park: try await park(row, ParkedReason(error), term)
        case .retry:
            let asked = error.rateLimit?.retryAfter
            if let asked { gate.close(for: asked, clock: context.clock) }
            let failures = gate.noteFailure(of: .message(localID, in: channel))
            let delay = asked ?? ReadAttempts.delay(afterFailures: failures, random: context.random.unit())
            // The gate stays closed for as long as the service requires. The message itself need not wait longer.
            let next = context.now + min(delay, .seconds(3600))
            let isWaiting = try await write(term) { try Self.release(localID, until: next, in: $0) }
            try await context.keepPause(error, term)
            if isWaiting { report(ParkedReason(error), of: row, attempts: row.attempts, until: next) }
        case .waitForSignIn:
            let isWaiting = try await write(term) { try Self.release(localID, until: Milliseconds(0), in: $0) }
            if isWaiting { report(ParkedReason(error), of: row, attempts: row.attempts) }
            waitForSignIn()
        case .waitForQuota:
            let next = context.now + .seconds(3600)
            let isWaiting = try await write(term) { try Self.release(localID, until: next, in: $0) }
            if isWaiting { report(ParkedReason(error), of: row, attempts: row.attempts, until: next) }
        case .unknown: _ = try await keepUnknown(row, ParkedReason(error).message, term)
        }
    }

    /// Sends the events of a failed attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts that count.
    ///   - next: The time of the next attempt; `nil` if it has none, or is not reported.
    private func report(
        _ reason: ParkedReason,
        of row: OutboxRow,
        attempts: Int,
        until next: Milliseconds? = nil
    ) {
        context.events.send(.sendFailed(channel, Message.ID(row.token), reason: reason, attempts: attempts))
        if let next { context.events.send(.sendDeferred(channel, next.date)) }
    }

    /// Requeues a message whose request did not take effect, or removes it if it was deleted in the meantime.
    ///
    /// - Returns: Whether the message waits.
    private static func release(_ localID: Int64, until next: Milliseconds, in database: Database) throws -> Bool {
        let outbox = OutboxTable(database: database)
        guard let row = try outbox.row(localID) else { return false }
        if row.isCancelled {
            try MessageRemoval(database: database).remove([localID])
        } else {
            try outbox.requeue(localID, until: next)
        }
        return !row.isCancelled
    }

    /// Keeps the claim of a message whose outcome is unknown, or parks the message after the last attempt.
    ///
    /// - Parameter isSearch: Whether the search for the message has failed, rather than the request that creates it.
    private func keepUnknown(
        _ row: OutboxRow,
        _ reason: String,
        afterSearch isSearch: Bool = false,
        _ term: EngineLife.Term
    ) async throws -> MessageManager.SentMessage? {
        let attempts = row.attempts + 1
        let reason = ParkedReason(code: OutboxTable.unknownOutcome, message: reason)
        guard attempts < context.options.maximumSendAttempts else {
            try await park(row, reason, afterSearch: isSearch, term)
            return nil
        }
        let next = context.now + ReadAttempts.delay(afterFailures: attempts, random: context.random.unit())
        try await write(term) {
            try OutboxTable(database: $0).postpone(row.localID, until: next, attempts: attempts)
        }
        report(reason, of: row, attempts: attempts)
        return nil
    }

    private func park(
        _ row: OutboxRow,
        _ reason: ParkedReason,
        afterSearch isSearch: Bool = false,
        _ term: EngineLife.Term
    ) async throws {
        let attempts = row.attempts + 1
        let later = context.now + ReadAttempts.delay(afterFailures: attempts, random: context.random.unit())
        let isParked = try await write(term) { database in
            let outbox = OutboxTable(database: database)
            guard let current = try outbox.row(row.localID) else { return false }
            if current.isCancelled {
                if reason.code == OutboxTable.unknownOutcome, !isSearch {
                    try outbox.postpone(row.localID, until: later, attempts: row.attempts)
                } else {
                    // The message is hidden, so the user cannot decide. If the service has it, the next fetch recognizes
                    // its token and queues its deletion.
                    try MessageRemoval(database: database).remove([row.localID])
                }
                return false
            }
            try outbox.park(row.localID, reason, attempts: attempts)
            return true
        }
        guard isParked else { return }
        report(reason, of: row, attempts: attempts)
        context.events.send(.parked(channel, Message.ID(row.token), reason: reason))
    }

    func waitForSignIn() {
        if gate.waitForSignIn() { context.events.send(.authenticationRequired) }
    }
}
