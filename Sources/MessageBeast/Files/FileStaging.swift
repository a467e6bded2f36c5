internal import AppNet
internal import Foundation
internal import GRDB
internal import HeliumCore

/// Copies the bytes of a file and records it (Docs/Protocols/MessageBeast.md §4.5).
struct FileStaging: Sendable {
    let context: EngineContext
    let owners: any ClaimOwners

    /// The properties of a file that are sent to the service.
    struct Description: Sendable {
        var type: String
        var name: String
        var mimeType: String?
        var kind: File.Kind?
        var isPublic: Bool
    }

    /// Stages a file. Removes everything that was written if it fails.
    func stage(_ source: StagingSource, _ description: Description) async throws -> PendingFile {
        let term = try context.life.term()
        try Self.check(description)
        let (staged, limit, owner) = (context.staged, context.options.maximumStagedBytes, owners.own)
        let (id, token) = (context.random.uuid(), context.random.uuid())
        let used = try await context.read { try PendingFileTable(database: $0).byteCount() }
        let partial = StagedName.partial(id, owner: owner)
        do {
            let content = try await staged.write(source, to: partial, atMost: max(0, limit - used))
            let file = Self.file(id, description, content)
            try await context.write(term) { database in
                let table = PendingFileTable(database: database)
                // Another caller may have staged files in the meantime.
                guard try table.byteCount() + file.byteCount <= limit else { throw MessageBeastError.stagingFull }
                try staged.move(partial, to: id)
                try table.insert(file, token: token, owner: owner)
            }
            return file
        } catch {
            staged.remove(partial)
            // The bytes may have received their final name before the transaction failed.
            try? await StagedCollection(context: context, owners: owners).run()
            throw error
        }
    }

    private static func check(_ file: Description) throws {
        let labels = file.type.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        let isReverseDomain =
            labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && label.allSatisfy { ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 || $0 == 0x2D || $0 == 0x5F }
            }
        guard isReverseDomain, file.type.utf8.count <= 128 else {
            throw MessageBeastError(
                .invalidArgument,
                "the type of a file must be a reverse domain name, for example com.example.photo"
            )
        }
        guard !file.name.isEmpty, file.name.unicodeScalars.count <= 255 else {
            throw MessageBeastError(.invalidArgument, "the name of a file must have 1 to 255 characters")
        }
    }

    private static func file(_ id: String, _ file: Description, _ content: StagedContent) -> PendingFile {
        let mimeType = file.mimeType ?? RequestContent.file(atPath: file.name).contentType ?? "application/octet-stream"
        return PendingFile(
            id: id,
            type: file.type,
            name: file.name,
            mimeType: mimeType,
            kind: file.kind ?? (mimeType.hasPrefix("image/") ? .image : .other),
            isPublic: file.isPublic,
            byteCount: content.byteCount,
            sha256: content.sha256,
            state: .waiting,
            sendAttemptsCount: 0,
            fileID: nil,
            lastFailure: nil
        )
    }
}
