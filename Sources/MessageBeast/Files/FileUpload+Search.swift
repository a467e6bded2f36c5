internal import AppNet
internal import GRDB
internal import HeliumCore

extension FileUpload {
    /// Searches the service, by token, for a file whose creation has an unknown outcome
    /// (Docs/Protocols/MessageBeast.md §4.5).
    func find(_ row: PendingFileRow, _ term: EngineLife.Term) async throws {
        let found: [File.ID]
        do {
            found = try await files(with: row.token, since: (row.claimed ?? context.now) + .seconds(-86_400))
        } catch let error as AppNetError where error.kind == .missingScope || error.status == 403 {
            // Without the scope `files`, the outcome cannot be determined. At worst an incomplete file remains on the
            // service.
            return try await restart(row, term)
        } catch let error as AppNetError {
            return try await failToFind(row, error, term)
        } catch let error as MessageBeastError where error.kind == .protocolViolation {
            return try await keepUnknown(row, error.message, term)
        }
        // The lower id is kept, as with messages. The other files were created by a delayed request.
        guard let id = found.min() else { return try await restart(row, term) }
        let copies = found.filter { $0 != id }
        try await write(term) { database in
            for copy in copies { try FileDeletionTable(database: database).insert(copy) }
        }
        let file: File
        do {
            // Only a request without parameters returns the write token.
            file = try await context.client.files.get(id)
        } catch let error as AppNetError where error.kind == .notFound || error.status == 410 {
            return try await restart(row, term)
        } catch let error as AppNetError {
            return try await failToFind(row, error, term)
        }
        guard let reference = file.reference else {
            return try await keepUnknown(row, "the service does not return the token of the file", term)
        }
        try await judge(row, file, reference, after: nil, term)
    }

    /// Returns the ids of the user's files that have a token and are not older than `start`.
    private func files(with token: String, since start: Milliseconds) async throws -> [File.ID] {
        var parameters = GeneralParameters()
        parameters.includesFileAnnotations = true
        parameters.includesIncomplete = true
        parameters.includesPrivate = true
        let list = context.client.files.own(parameters: parameters)
        var found: [File.ID] = []
        var incomplete: Page<File>?
        var before: Int?
        while true {
            try Task.checkCancellation()
            let page = try await list.page(PageBounds(before: before.map { ListPosition("\($0)") }, count: 200))
            for file in page.elements where file.token?.hasSameBytes(as: token) == true {
                if let id = file.id { found.append(id) }
            }
            let isPast = page.elements.contains { $0.createdAt.map { Milliseconds($0) < start } ?? false }
            if !page.unreadable.isEmpty { incomplete = incomplete ?? page }
            guard page.hasMore, !isPast else {
                // A file that cannot be decoded may be the wanted one, and must not be created again.
                if found.isEmpty { _ = try incomplete?.completeElements() }
                return found
            }
            let ids = [page.elements.last?.id?.number] + page.unreadable.ids.map { File.ID($0).number }
            let lowest = page.meta.minID.flatMap { Int($0) } ?? ids.compactMap(\.self).min()
            guard let lowest, before.map({ lowest < $0 }) ?? true else {
                throw MessageBeastError(.protocolViolation, "a page of the list of files does not lead to the next one")
            }
            before = lowest
        }
    }

    /// Releases the file so that it is created again, or removes it if no message uses it any more.
    private func restart(_ row: PendingFileRow, _ term: EngineLife.Term) async throws {
        try await write(term) { database in
            let table = PendingFileTable(database: database)
            try table.release(row.id, until: Milliseconds(0))
            try table.dispose(of: [row.id])
        }
    }
}

extension File {
    /// The token that the engine added to the file; `nil` if there is none.
    fileprivate var token: String? {
        (annotations ?? []).first { $0.type.hasSameBytes(as: MessageBeastNames.token) }?.value?["token"]?.stringValue
    }
}
