public import AppNet
public import Foundation

// Files that are sent with messages. They are staged first, then referenced by a message that is created.
extension MessageManager {
    /// Copies a file so that it can be attached to messages. No request is made until a message that uses it is sent.
    ///
    /// The copy is durable when the call returns; the original file may then be deleted. A copy that no message uses is
    /// removed after this engine has ended.
    ///
    /// ```swift
    /// let photo = try await manager.stage(fileAtPath: path, type: "com.example.photo")
    /// let attachment = PendingFileAttachment(pendingFileID: photo.id, isOEmbed: true)
    /// let message = try await manager.create(Message(text: "Look"), in: journal, attachments: [attachment])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file. A symbolic link is followed.
    ///   - type: The purpose of the file: a reverse domain name.
    ///   - name: The file name sent to the service. Default: the last part of the path.
    ///   - mimeType: The media type. Default: derived from the extension of the name.
    ///   - kind: The kind. Default: `image` for images, otherwise `other`.
    ///   - isPublic: Whether anyone may read the file on the service. Default: `false`.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notFound`` for a missing file,
    ///   ``MessageBeastError/Kind/invalidArgument`` for an unreadable file and for an invalid type or name, and
    ///   ``MessageBeastError/Kind/stagingFull`` beyond ``Options/maximumStagedBytes``. Nothing is stored in that case.
    nonisolated public func stage(
        fileAtPath path: String,
        type: String,
        name: String? = nil,
        mimeType: String? = nil,
        kind: File.Kind? = nil,
        isPublic: Bool = false
    ) async throws -> PendingFile {
        let last = path.split(separator: "/").last.map(String.init)
        let description = FileStaging.Description(
            type: type,
            name: name ?? last ?? path,
            mimeType: mimeType,
            kind: kind,
            isPublic: isPublic
        )
        return try await outbox.files.stage(.file(path: path), description)
    }

    /// Copies bytes so that they can be attached to messages; see
    /// ``stage(fileAtPath:type:name:mimeType:kind:isPublic:)``.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - name: The file name sent to the service.
    ///   - type: The purpose of the file: a reverse domain name.
    ///   - mimeType: The media type. Default: derived from the extension of the name.
    ///   - kind: The kind. Default: `image` for images, otherwise `other`.
    ///   - isPublic: Whether anyone may read the file on the service. Default: `false`.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/invalidArgument`` and
    ///   ``MessageBeastError/Kind/stagingFull``. Nothing is stored in that case.
    nonisolated public func stage(
        _ data: Data,
        name: String,
        type: String,
        mimeType: String? = nil,
        kind: File.Kind? = nil,
        isPublic: Bool = false
    ) async throws -> PendingFile {
        let description = FileStaging.Description(
            type: type,
            name: name,
            mimeType: mimeType,
            kind: kind,
            isPublic: isPublic
        )
        return try await outbox.files.stage(.data(data), description)
    }

    /// Returns the pending file with an id; `nil` if there is none, for example because its messages were sent.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func pendingFile(id: PendingFile.ID) async throws -> PendingFile? {
        try await context.read { try PendingFileTable(database: $0).row(id).map(PendingFile.init) }
    }

    /// Returns the files that wait for upload or that unsent messages use, in the order in which they were staged.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func pendingFiles() async throws -> [PendingFile] {
        try await context.read { try PendingFileTable(database: $0).all().map(PendingFile.init) }
    }

    /// Retries a parked file, and the messages that were parked only because of it.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/notFound`` for a file that is not
    ///   parked.
    nonisolated public func retryFile(id: PendingFile.ID) async throws {
        try await outbox.files.retry(id)
        outbox.resume()
    }

    /// Removes a parked file.
    ///
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/notFound`` for a file that is not
    ///   parked, and ``MessageBeastError/Kind/invalidArgument`` for a file that messages use. To remove such a file,
    ///   ``discard(_:)`` those messages: the file is removed with the last one.
    nonisolated public func discardFile(id: PendingFile.ID) async throws {
        try await outbox.files.discard(id)
    }
}
