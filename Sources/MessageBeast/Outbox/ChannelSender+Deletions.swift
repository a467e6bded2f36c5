internal import AppNet
internal import HeliumCore

extension ChannelSender {
    /// Sends the deletions that are due, oldest first.
    ///
    /// - Returns: The delay until a deletion is due again.
    func sendDeletions(_ term: EngineLife.Term) async throws -> Duration? {
        while true {
            try Task.checkCancellation()
            if gate.needsSignIn { return nil }
            if let delay = gate.delay(clock: context.clock) { return delay }
            let (id, owners, now) = (channel.text, owners, context.now)
            let next = try await write(term) { database -> DeletionStep in
                let table = PendingDeletionTable(database: database)
                guard let first = try table.first(in: id) else { return .idle }
                if first.isClaimed, let owner = first.owner, owner != owners.own, owners.isAlive(owner) {
                    return .wait(Self.foreignDelay)
                }
                if let delay = first.nextAttempt.delay(after: now) { return .wait(delay) }
                try table.claim(first.messageID, owner: owners.own)
                return .send(first)
            }
            switch next {
            case .idle: return nil
            case .wait(let delay): return delay
            case .send(let deletion): try await send(deletion, term)
            }
        }
    }

    private enum DeletionStep: Sendable {
        case send(PendingDeletion)
        case wait(Duration)
        case idle
    }

    private func send(_ deletion: PendingDeletion, _ term: EngineLife.Term) async throws {
        let id = deletion.messageID
        do {
            try await context.client.messages.delete(Message.ID(id), in: channel)
            gate.note(context.client.rateLimit, clock: context.clock)
        } catch let error as AppNetError where error.kind == .notFound || error.status == 410 {
            // The message no longer exists, which is the wanted result.
        } catch let error as AppNetError {
            return try await fail(deletion, error, term)
        }
        gate.forgetFailures(of: .deletion(id, in: channel))
        context.reached(.deleted)
        try await write(term) { database in
            try PendingDeletionTable(database: database).delete(id)
            try MessageRemoval(database: database).removeActions(onDeleted: [id])
        }
        context.events.send(.deleted(channel, Message.ID(id)))
    }

    private func fail(_ deletion: PendingDeletion, _ error: AppNetError, _ term: EngineLife.Term) async throws {
        let id = deletion.messageID
        gate.note(error.rateLimit, clock: context.clock)
        let failure = DeletionFailure(error, after: deletion.attempts, options: context.options)
        if failure.isFinal {
            gate.forgetFailures(of: .deletion(id, in: channel))
            let reason = ParkedReason(error).message
            try await write(term) { try PendingDeletionTable(database: $0).park(id, reason: reason) }
            return context.events.send(.deletionParked(channel, Message.ID(id), reason: reason))
        }
        if failure.kind == .waitForSignIn { waitForSignIn() }
        if let asked = error.rateLimit?.retryAfter { gate.close(for: asked, clock: context.clock) }
        let failures = gate.noteFailure(of: .deletion(id, in: channel))
        let next = context.now + ReadAttempts.delay(afterFailures: failures, random: context.random.unit())
        // If no request has left the machine, the deletion can still be undone.
        let isUnclaimed = error.delivery == .notSent && !deletion.isClaimed
        try await write(term) { database in
            let table = PendingDeletionTable(database: database)
            try table.postpone(id, until: next, attempts: failure.attempts)
            if isUnclaimed { try table.release(id) }
        }
        try await context.keepPause(error, term)
    }
}
