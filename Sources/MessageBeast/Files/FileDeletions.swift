internal import AppNet
internal import HeliumCore

/// Deletes files on the service, oldest first (Docs/Protocols/MessageBeast.md §4.6).
struct FileDeletions: Sendable {
    let context: EngineContext
    let gate: SendGate

    /// Sends the deletions that are due.
    ///
    /// - Returns: The delay until a deletion is due again; `nil` if none waits, or if only the user can change that.
    func pass() async throws -> Duration? {
        let term = try context.life.term()
        while true {
            try Task.checkCancellation()
            if gate.needsSignIn { return nil }
            if let delay = gate.delay(clock: context.clock) { return delay }
            let now = context.now
            let (due, delay) = try await context.read { try FileDeletionTable(database: $0).next(now: now) }
            guard let due else { return delay }
            try await send(due, term)
        }
    }

    private func send(_ deletion: FileDeletionTable.Entry, _ term: EngineLife.Term) async throws {
        do {
            try await context.client.files.delete(deletion.id)
            gate.note(context.client.rateLimit, clock: context.clock)
        } catch let error as AppNetError where Self.isDone(error) {
            // The file no longer exists, or this account may never delete it.
        } catch let error as AppNetError {
            return try await fail(deletion, error, term)
        }
        gate.forgetFailures(of: .fileDeletion(deletion.id))
        try await context.write(term) { try FileDeletionTable(database: $0).delete(deletion.id) }
    }

    private func fail(_ deletion: FileDeletionTable.Entry, _ error: AppNetError, _ term: EngineLife.Term) async throws {
        let id = deletion.id
        gate.note(error.rateLimit, clock: context.clock)
        let failure = DeletionFailure(error, after: deletion.attempts, options: context.options)
        // Without the scope, only files cannot be deleted. Messages are sent.
        if failure.isFinal || error.kind == .missingScope {
            gate.forgetFailures(of: .fileDeletion(id))
            let reason = ParkedReason(error).message
            try await context.write(term) { try FileDeletionTable(database: $0).park(id, reason: reason) }
            return context.events.send(.fileDeletionParked(id, reason: reason))
        }
        if failure.kind == .waitForSignIn, gate.waitForSignIn() { context.events.send(.authenticationRequired) }
        if let asked = error.rateLimit?.retryAfter { gate.close(for: asked, clock: context.clock) }
        let failures = gate.noteFailure(of: .fileDeletion(id))
        let next = context.now + ReadAttempts.delay(afterFailures: failures, random: context.random.unit())
        try await context.write(term) {
            try FileDeletionTable(database: $0).postpone(id, until: next, attempts: failure.attempts)
        }
        try await context.keepPause(error, term)
    }

    /// Returns whether an error means that there is nothing left to delete. The service returns 403 for a deleted file,
    /// and for a token that may delete no file.
    private static func isDone(_ error: AppNetError) -> Bool {
        if error.kind == .missingScope || error.needsSignIn { return false }
        return error.kind == .notFound || [403, 404, 410].contains(error.status)
    }
}
