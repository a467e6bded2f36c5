internal import Foundation
internal import GRDB
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumJSON

/// Imports the pending files of a legacy database, whose bytes are still where the app left them.
///
/// An instance belongs to one import. If the import fails, ``abandon()`` removes the copies.
final class LegacyFiles {
    private let staged: (any StagedBytes)?
    private let random: RandomSource
    private var copies: [String] = []
    private var attachments: [ByteText: [Attachment]]?

    private struct Attachment {
        let file: String
        let isOEmbed: Bool
    }

    /// The reason for parking a file whose bytes are missing.
    private static let missing = ParkedReason(
        code: ParkedReason.fileMissing,
        message: "the file was not found, or cannot be read"
    )

    init(staged: (any StagedBytes)?, random: RandomSource) {
        self.staged = staged
        self.random = random
    }

    /// Removes the copies.
    func abandon() {
        for name in copies { staged?.remove(name) }
    }

    /// Imports the files of a message. Files that no message uses are left out.
    ///
    /// - Returns: The number of new files.
    func importAttachments(of id: String, to localID: Int64, from file: LegacyFile, in database: Database) throws -> Int
    {
        var (position, count) = (0, 0)
        for attachment in try attachments(of: file)[ByteText(id)] ?? [] {
            if try !isStored(attachment.file, in: database) {
                guard try insert(attachment.file, from: file, in: database) else { continue }
                count += 1
            }
            try database.execute(
                sql: """
                    INSERT INTO pending_file_attachment (local_id, position, pending_file_id, is_oembed) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [localID, position, attachment.file, attachment.isOEmbed]
            )
            position += 1
        }
        return count
    }

    /// Returns all attachments, grouped by message. The table has no index by message.
    private func attachments(of file: LegacyFile) throws -> [ByteText: [Attachment]] {
        if let known = attachments { return known }
        var attachments: [ByteText: [Attachment]] = [:]
        let columns = [
            ["pending_file_attachment_file_id"], ["pending_file_attachment_message_id"],
            ["pending_file_attachment_is_oembed"],
        ]
        if let rows = try file.rows(of: "pending_file_attachments", columns) {
            while let row = try rows.next() {
                guard let id = LegacyFile.text(row, 0), let message = LegacyFile.text(row, 1) else { continue }
                let attachment = Attachment(file: id, isOEmbed: LegacyFile.flag(row, 2))
                attachments[ByteText(message), default: []].append(attachment)
            }
        }
        self.attachments = attachments
        return attachments
    }

    private func isStored(_ id: String, in database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT 1 FROM pending_file WHERE id = ?", arguments: [id]) != nil
    }

    /// Inserts a file.
    ///
    /// - Returns: Whether the legacy database has a row for the file.
    private func insert(_ id: String, from file: LegacyFile, in database: Database) throws -> Bool {
        let columns = [
            ["pending_file_id"], ["pending_file_url", "pending_file_uri"], ["pending_file_type"], ["pending_file_name"],
            ["pending_file_mimetype"], ["pending_file_kind"], ["pending_file_public"], ["pending_file_send_attempts"],
        ]
        guard let row = try file.row(of: "pending_files", columns, where: "pending_file_id = ?", id) else {
            return false
        }
        let copy = try stage(LegacyFile.text(row, 1).flatMap(LegacyFile.path))
        try database.execute(
            sql: """
                INSERT INTO pending_file (id, staged_path, type, name, mime, kind, is_public, byte_count, sha256, token, state,
                    attempts, last_error)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, copy?.name ?? random.uuid(), LegacyFile.text(row, 2) ?? "", LegacyFile.text(row, 3) ?? "",
                LegacyFile.text(row, 4) ?? "application/octet-stream", LegacyFile.text(row, 5),
                LegacyFile.flag(row, 6), copy?.count ?? 0, copy?.sha256 ?? "", random.uuid(),
                copy == nil ? "parked" : "waiting", Int(min(max(LegacyFile.number(row, 7) ?? 0, 0), 1e6)),
                copy == nil ? Self.missing.stored : nil,
            ]
        )
        return true
    }

    private struct Copy {
        let name: String
        var count = 0
        var sha256 = ""
    }

    /// Copies a file into the staging folder.
    ///
    /// - Returns: `nil` if the file does not exist or cannot be read to its end, or if there is no staging folder.
    private func stage(_ path: String?) throws -> Copy? {
        guard let path, let staged else { return nil }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            let source = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? source.close() }
        var copy = Copy(name: random.uuid())
        var hash = SHA256()
        let writer = try staged.begin(copy.name)
        while true {
            let piece: Data?
            do { piece = try source.read(upToCount: ExportFormat.stagedPiece) } catch {
                // The beginning of a file is not the file.
                writer.abandon()
                return nil
            }
            guard let piece, !piece.isEmpty else { break }
            try writer.write(piece)
            piece.withUnsafeBytes { hash.update($0) }
            copy.count += piece.count
        }
        copies.append(copy.name)
        try writer.finish()
        copy.sha256 = hash.finalize().hex
        return copy
    }

    /// Queues the deletions of files.
    func importDeletions(from file: LegacyFile, in database: Database) throws {
        guard let rows = try file.rows(of: "pending_file_deletions", [["pending_file_deletion_file_id"]]) else {
            return
        }
        while let row = try rows.next() {
            guard let id = LegacyFile.text(row, 0) else { continue }
            try database.execute(
                sql: "INSERT INTO pending_file_deletion (file_id) VALUES (?) ON CONFLICT (file_id) DO NOTHING",
                arguments: [id]
            )
        }
    }
}
