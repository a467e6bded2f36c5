internal import AppNet
internal import HeliumCore

extension FileUpload {
    /// Handles a failed request (Docs/Protocols/MessageBeast.md §4.2).
    func fail(_ row: PendingFileRow, _ error: AppNetError, _ term: EngineLife.Term) async throws {
        gate.note(error.rateLimit, clock: context.clock)
        if error.underlying?.kind == .requestBodyFailed { return try await parkMissing(row, term) }
        let reason = ParkedReason(error)
        let failureClass = context.options.failureClasses(error)
        if failureClass != .retry { gate.forgetFailures(of: .file(row.id)) }
        switch failureClass {
        case .reject, .park: try await park(row, reason, isKnown: true, term)
        case .retry:
            let asked = error.rateLimit?.retryAfter
            if let asked { gate.close(for: asked, clock: context.clock) }
            let failures = gate.noteFailure(of: .file(row.id))
            let delay = asked ?? ReadAttempts.delay(afterFailures: failures, random: context.random.unit())
            try await release(row, after: min(delay, .seconds(3600)), reason, term)
            try await context.keepPause(error, term)
        case .waitForSignIn:
            try await release(row, after: .zero, reason, term)
            waitForSignIn()
        // Other messages are sent in the meantime, except later messages in the channels of the file's messages.
        case .waitForQuota: try await release(row, after: .seconds(3600), reason, term)
        case .unknown: try await keepUnknown(row, reason.message, term)
        }
    }

    private func release(
        _ row: PendingFileRow,
        after delay: Duration,
        _ reason: ParkedReason,
        _ term: EngineLife.Term
    ) async throws {
        let next = delay == .zero ? Milliseconds(0) : context.now + delay
        try await write(term) {
            try PendingFileTable(database: $0).release(row.id, until: next, failure: reason)
        }
        context.events.send(.fileFailed(row.id, reason: reason, attempts: row.attempts))
    }

    /// Handles a failed read. The outcome of the request before it is still unknown.
    func failToFind(_ row: PendingFileRow, _ error: AppNetError, _ term: EngineLife.Term) async throws {
        gate.note(error.rateLimit, clock: context.clock)
        if let asked = error.rateLimit?.retryAfter { gate.close(for: asked, clock: context.clock) }
        try await context.keepPause(error, term)
        switch context.options.failureClasses(error) {
        case .waitForSignIn:
            try await postpone(row, until: Milliseconds(0), attempts: row.attempts, ParkedReason(error), term)
            waitForSignIn()
        case .retry:
            let failures = gate.noteFailure(of: .file(row.id))
            let delay = ReadAttempts.delay(afterFailures: failures, random: context.random.unit())
            try await postpone(row, until: context.now + delay, attempts: row.attempts, ParkedReason(error), term)
        case .waitForQuota, .park, .reject, .unknown: try await keepUnknown(row, ParkedReason(error).message, term)
        }
    }

    /// Keeps the claim of a request whose outcome is unknown. The outcome is determined before another request is made.
    func keepUnknown(_ row: PendingFileRow, _ message: String, _ term: EngineLife.Term) async throws {
        let attempts = row.attempts + 1
        let reason = ParkedReason(code: OutboxTable.unknownOutcome, message: message)
        guard attempts < context.options.maximumSendAttempts else {
            return try await park(row, reason, isKnown: false, term)
        }
        let delay = ReadAttempts.delay(afterFailures: attempts, random: context.random.unit())
        try await postpone(row, until: context.now + delay, attempts: attempts, reason, term)
    }

    private func postpone(
        _ row: PendingFileRow,
        until next: Milliseconds,
        attempts: Int,
        _ reason: ParkedReason,
        _ term: EngineLife.Term
    ) async throws {
        try await write(term) {
            try PendingFileTable(database: $0).postpone(row.id, until: next, attempts: attempts, failure: reason)
        }
        context.events.send(.fileFailed(row.id, reason: reason, attempts: attempts))
    }

    func parkMissing(_ row: PendingFileRow, _ term: EngineLife.Term) async throws {
        let message = "the staged bytes are missing or have changed"
        // The outcome of an earlier request may still be unknown.
        let isKnown = row.claimed == nil
        try await park(row, ParkedReason(code: ParkedReason.fileMissing, message: message), isKnown: isKnown, term)
    }

    /// Parks a file and the messages that wait for it. Other messages are sent.
    func park(
        _ row: PendingFileRow,
        _ reason: ParkedReason,
        isKnown: Bool,
        _ term: EngineLife.Term
    ) async throws {
        let attempts = row.attempts + 1
        let parked = try await write(term) { database -> [OutboxRow] in
            let table = PendingFileTable(database: database)
            guard try table.row(row.id) != nil else { return [] }
            try table.park(row.id, reason, attempts: attempts, isKnown: isKnown)
            let waiting = try table.waiting(for: row.id).filter { [.queued, .uploading].contains($0.state) }
            let outbox = OutboxTable(database: database)
            for message in waiting {
                try outbox.park(message.localID, reason.ofMessage, attempts: message.attempts)
            }
            return waiting
        }
        context.events.send(.fileFailed(row.id, reason: reason, attempts: attempts))
        for message in parked {
            let channel = AppNetChannel.ID(message.channel)
            context.events.send(.parked(channel, Message.ID(message.token), reason: reason.ofMessage))
        }
    }

    private func waitForSignIn() {
        if gate.waitForSignIn() { context.events.send(.authenticationRequired) }
    }
}
