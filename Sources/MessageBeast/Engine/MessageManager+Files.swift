public import AppNet
public import Foundation

// Files that are sent with messages. They are staged first, then named by a message that is created.
extension MessageManager {
    /// Copies a file, to be attached to messages. No request is made until a message that uses it is sent.
    ///
    /// The copy is durable when the call returns, and the file may then disappear. A copy that no message uses is removed when
    /// this engine has ended.
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
    ///   - name: The name that the service is told. Default: the last part of the path.
    ///   - mimeType: The media type. Default: by the extension of the name.
    ///   - kind: The kind. Default: `image` for images, else `other`.
    ///   - isPublic: Whether everybody may read the file on the service. Default: no.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/notFound`` for a missing file,
    ///   ``MessageBeastError/Kind/invalidArgument`` for one that cannot be read and for an invalid type or name, and
    ///   ``MessageBeastError/Kind/stagingFull`` beyond ``Options/maximumStagedBytes``. Nothing is stored then.
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

    /// Copies bytes, to be attached to messages; see ``stage(fileAtPath:type:name:mimeType:kind:isPublic:)``.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - name: The name that the service is told.
    ///   - type: The purpose of the file: a reverse domain name.
    ///   - mimeType: The media type. Default: by the extension of the name.
    ///   - kind: The kind. Default: `image` for images, else `other`.
    ///   - isPublic: Whether everybody may read the file on the service. Default: no.
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/invalidArgument`` and
    ///   ``MessageBeastError/Kind/stagingFull`` too. Nothing is stored then.
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

    /// The pending file with an id; `nil` if there is none, for example because its messages were sent.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func pendingFile(id: PendingFile.ID) async throws -> PendingFile? {
        try await context.read { try PendingFileTable(database: $0).row(id).map(PendingFile.init) }
    }

    /// The files that wait for their upload, or that unsent messages use, in the order in which they were staged.
    ///
    /// - Throws: ``MessageBeastError``.
    nonisolated public func pendingFiles() async throws -> [PendingFile] {
        try await context.read { try PendingFileTable(database: $0).all().map(PendingFile.init) }
    }

    /// Lets a parked file be uploaded again, and the messages be sent that were parked for it alone.
    ///
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/notFound`` for a file that is not parked.
    nonisolated public func retryFile(id: PendingFile.ID) async throws {
        let channels = try await outbox.files.retry(id)
        try await outbox.resume()
        for channel in channels { outbox.wake(channel) }
    }

    /// Removes a parked file.
    ///
    /// - Throws: ``MessageBeastError``, of the kinds ``MessageBeastError/Kind/notFound`` for a file that is not parked, and
    ///   ``MessageBeastError/Kind/invalidArgument`` for one that messages use: ``discard(_:)`` them, and the file goes with
    ///   the last one.
    nonisolated public func discardFile(id: PendingFile.ID) async throws {
        try await outbox.files.discard(id)
    }
}
