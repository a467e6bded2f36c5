internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumCore

/// Uploads one pending file: creates it without content, then sets its content (Docs/Protocols/MessageBeast.md §4.5).
///
/// The caller runs at most one upload per file in this engine. Claims exclude other engines.
struct FileUpload: Sendable {
    let context: EngineContext
    let owners: any ClaimOwners
    let gate: SendGate
    let id: String

    /// The next request.
    private enum Step: Sendable {
        case create(PendingFileRow)
        /// The file may have been created.
        case find(PendingFileRow)
        case put(PendingFileRow, FileReference)
        /// The content may have been set.
        case inspect(PendingFileRow, FileReference)
        case end
    }

    /// Continues until the file is uploaded or parked, or has to wait.
    ///
    /// - Throws: ``MessageBeastError``, `CancellationError`.
    func run() async throws {
        let term = try context.life.term()
        while true {
            try Task.checkCancellation()
            if gate.needsSignIn || gate.delay(clock: context.clock) != nil { return }
            switch try await next(term) {
            case .create(let row): try await create(row, term)
            case .find(let row): try await find(row, term)
            case .put(let row, let reference): try await put(row, reference, term)
            case .inspect(let row, let reference): try await inspect(row, reference, after: nil, term)
            case .end: return
            }
        }
    }

    /// Runs a write transaction of this upload.
    func write<Value: Sendable>(
        _ term: EngineLife.Term,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await context.write(term, by: .upload(id), body)
    }

    /// Decides on the next request and claims the file.
    private func next(_ term: EngineLife.Term) async throws -> Step {
        let (id, owners, now, fresh) = (id, owners, context.now, context.random.uuid())
        return try await write(term) { database in
            let table = PendingFileTable(database: database)
            guard let row = try table.row(id), [.waiting, .created].contains(row.state), !row.isHeld(owners),
                row.nextAttempt.delay(after: now) == nil
            else { return .end }
            guard try table.isUsed(id) || (row.state == .waiting && row.claimed != nil) else {
                try table.dispose(of: [id])
                return .end
            }
            if row.state == .created, row.file?.reference == nil {
                try table.renew(id, token: fresh, attempts: row.attempts, until: Milliseconds(0))
                return .end
            }
            try table.claim(id, owner: owners.own, now: now)
            guard let reference = row.file?.reference else {
                return row.claimed == nil ? .create(row) : .find(row)
            }
            return row.claimed == nil ? .put(row, reference) : .inspect(row, reference)
        }
    }

    // MARK: Requests

    private func create(_ row: PendingFileRow, _ term: EngineLife.Term) async throws {
        guard context.staged.size(of: row.stagedName) == row.byteCount else {
            return try await parkMissing(row, term)
        }
        do {
            let file = try await context.client.files.create(row.creation)
            context.reached(.fileCreated)
            gate.note(context.client.rateLimit, clock: context.clock)
            guard file.reference != nil else {
                return try await keepUnknown(row, "the response has no file with a token", term)
            }
            try await keep(file, .created, of: row, term)
        } catch let error as AppNetError {
            try await fail(row, error, term)
        }
    }

    private func put(_ row: PendingFileRow, _ reference: FileReference, _ term: EngineLife.Term) async throws {
        let content = await context.staged.content(of: row.stagedName)
        guard content?.byteCount == row.byteCount, content?.sha256 == row.sha256 else {
            return try await parkMissing(row, term)
        }
        let (events, total, id) = (context.events, row.byteCount, id)
        do {
            // The file name was sent when the file was created. Not every name is valid in a header.
            try await context.client.files.setContent(
                of: reference.id,
                to: .upload(context.staged.body(of: row.stagedName), name: "content", mediaType: row.mimeType),
                token: reference.token,
                progress: { events.send(.fileProgress(id, sentBytes: min($0.completed, total), totalBytes: total)) }
            )
            context.reached(.fileStored)
            gate.note(context.client.rateLimit, clock: context.clock)
        } catch let error as AppNetError where Self.isRefusal(error) {
            // A complete file rejects content: an earlier request took effect after all.
            return try await inspect(row, reference, after: error, term)
        } catch let error as AppNetError {
            return try await fail(row, error, term)
        }
        try await keep(row.file, .uploaded, of: row, term)
    }

    private static func isRefusal(_ error: AppNetError) -> Bool {
        [400, 403, 404].contains(error.status) && !error.needsSignIn && error.kind != .missingScope
    }

    /// Determines whether the service has the content.
    ///
    /// - Parameter refusal: The error with which the service rejected the content.
    private func inspect(
        _ row: PendingFileRow,
        _ reference: FileReference,
        after refusal: AppNetError?,
        _ term: EngineLife.Term
    ) async throws {
        let file: File
        do {
            file = try await context.client.files.get(reference.id, token: reference.token)
        } catch let error as AppNetError where error.kind == .notFound || error.status == 410 {
            return try await beginAgain(row, deleting: nil, term)
        } catch let error as AppNetError {
            return try await failToFind(row, error, term)
        }
        try await judge(row, file, reference, after: refusal, term)
    }

    /// Decides on the basis of the file on the service.
    func judge(
        _ row: PendingFileRow,
        _ file: File,
        _ reference: FileReference,
        after refusal: AppNetError?,
        _ term: EngineLife.Term
    ) async throws {
        // The response to a request with parameters has no write token.
        var file = file
        file.id = reference.id
        file.fileToken = reference.token
        guard file.isComplete == true else {
            if let refusal {
                return try await park(row, ParkedReason(refusal), isKnown: true, term)
            }
            return try await keep(file, .created, of: row, term)
        }
        guard let content = await context.staged.content(of: row.stagedName), content.sha256 == row.sha256 else {
            return try await parkMissing(row, term)
        }
        if content.matches(file) {
            try await keep(file, .uploaded, of: row, term)
        } else {
            try await beginAgain(row, deleting: reference.id, term)
        }
    }

    // MARK: Outcomes

    /// Records the file of the service, or queues its deletion if no message uses it any more.
    func keep(_ file: File?, _ state: PendingFile.State, of row: PendingFileRow, _ term: EngineLife.Term) async throws {
        gate.forgetFailures(of: .file(row.id))
        guard let file, let fileID = file.id else { return }
        let isKept = try await write(term) { database in
            let table = PendingFileTable(database: database)
            guard let current = try table.row(row.id), current.token.hasSameBytes(as: row.token),
                try table.isUsed(row.id)
            else {
                try FileDeletionTable(database: database).insert(fileID)
                try table.delete(row.id)
                return false
            }
            try table.set(state, file, of: row.id)
            return true
        }
        guard isKept, state == .uploaded else { return }
        context.reached(.fileUploaded)
        context.events.send(.fileUploaded(row.id, fileID))
    }

    /// Starts over with another file, because the service has no file or one with other content.
    private func beginAgain(_ row: PendingFileRow, deleting other: File.ID?, _ term: EngineLife.Term) async throws {
        let token = context.random.uuid()
        let next = context.now + ReadAttempts.delay(afterFailures: row.attempts + 1, random: context.random.unit())
        guard row.attempts + 1 < context.options.maximumSendAttempts else {
            let reason = ParkedReason(code: "contentRefused", message: "the service did not keep the file")
            return try await park(row, reason, isKnown: true, term)
        }
        try await write(term) { database in
            if let other { try FileDeletionTable(database: database).insert(other) }
            try PendingFileTable(database: database).renew(
                row.id,
                token: token,
                attempts: row.attempts + 1,
                until: next
            )
        }
    }
}

extension StagedContent {
    /// Returns whether a complete file of the service has these bytes. App.net reports SHA-1, pnut.io SHA-256.
    fileprivate func matches(_ file: File) -> Bool {
        guard file.size.map({ Int64($0) == byteCount }) ?? true, file.sha1 != nil || file.sha256 != nil else {
            return false
        }
        return (file.sha1.map { $0.lowercased() == sha1 } ?? true)
            && (file.sha256.map { $0.lowercased() == sha256 } ?? true)
    }
}
