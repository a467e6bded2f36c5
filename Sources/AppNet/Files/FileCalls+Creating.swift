internal import Foundation
public import HeliumCore

// The four forms of creation (§2.4), and the content of incomplete files.
extension FileCalls {
    /// Makes a file without content, which is set later.
    ///
    /// `POST files`; a user token with one of `files`, `write_post`, `messages`, `public_messages`, `update_profile`.
    ///
    /// - Parameters:
    ///   - file: Its type, which it has to have, kind, name, media type, whether it is public, annotations. The rest is
    ///     not sent.
    ///   - form: How its members are written. Default: as JSON; a form holds no annotations.
    ///   - parameters: What the answer is to have.
    /// - Returns: The file, with its token for writing.
    /// - Throws: ``AppNetError``, before anything is sent for what the service refuses; `CancellationError`.
    public func create(
        _ file: File,
        as form: FileMemberForm = .json,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try client.check(file.annotations, on: .file)
        let body = try FileCreation(file: file, dialect: client.dialect).body(form)
        return try await client.value(CallRequest(.createFile, body: body, parameters))
    }

    /// Makes a file with its content and derived files, read while they are sent.
    ///
    /// `POST files` as a form of parts; scopes as for a file without content. An upload that breaks off is not begun
    /// anew unless nothing of it can have arrived: there might be two files then.
    ///
    /// - Parameters:
    ///   - file: Its type, which it has to have, kind, name, whether it is public, annotations. The rest is not sent.
    ///   - content: The content.
    ///   - derived: Derived files by key: letters, digits and `_`. App.net makes the thumbnails `image_thumb_200s` and
    ///     `image_thumb_960r` by itself.
    ///   - form: How the file's members are written. Default: JSON where there are annotations, else as members of the
    ///     form.
    ///   - parameters: What the answer is to have.
    ///   - progress: Told how far the upload has got: at its beginning, at most every 100 ms, and at its end.
    /// - Returns: The file, with its token for writing.
    /// - Throws: ``AppNetError``, before anything is sent for what the service refuses; `CancellationError`.
    public func create(
        _ file: File,
        content: FileContent,
        derived: [String: FileContent] = [:],
        as form: FileMemberForm? = nil,
        _ parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> File {
        try client.check(file.annotations, on: .file)
        let hasAnnotations = file.annotations?.isEmpty == false
        let body = try FileCreation(file: file, dialect: client.dialect).body(
            form ?? (hasAnnotations ? .json : .form),
            content: content,
            derived: derived,
            random: client.settings.environment.random
        )
        var request = CallRequest(.createFile, body: body, parameters)
        request.progress = progress
        return try await client.value(request)
    }

    /// Gives an incomplete file its content, which completes it.
    ///
    /// `PUT files/{id}/content`; scopes as for its creation.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - content: The content.
    ///   - token: The file's token for writing.
    ///   - progress: Told how far the upload has got.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func setContent(
        of id: File.ID,
        to content: FileContent,
        token: Secret? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws {
        try await set(request(.setFileContent, ["file": id.text], token: token), content, progress)
    }

    /// Gives an incomplete file a derived file.
    ///
    /// `PUT files/{id}/content/{key}`; scopes as for its creation.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - key: The derived file's key: letters, digits and `_`.
    ///   - content: The content.
    ///   - token: The file's token for writing.
    ///   - progress: Told how far the upload has got.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func setContent(
        of id: File.ID,
        derived key: String,
        to content: FileContent,
        token: Secret? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws {
        try FileCreation.check(keys: [key], maximum: 1)
        let path = ["file": id.text, "key": key]
        try await set(request(.setDerivedContent, path, token: token), content, progress)
    }

    /// Gives an incomplete file a derived file, as a form.
    ///
    /// `POST files/{id}/content/{key}`; scopes as for its creation. App.net only.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - key: The derived file's key: letters, digits and `_`.
    ///   - content: The content.
    ///   - token: The file's token for writing.
    ///   - parameters: What the answer is to have.
    ///   - progress: Told how far the upload has got.
    /// - Returns: The file.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func addDerived(
        _ key: String,
        _ content: FileContent,
        to id: File.ID,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> File {
        try FileCreation.check(keys: [key], maximum: 1)
        var request = request(.addDerivedContent, ["file": id.text, "key": key], token: token, parameters)
        request.body = .content(form(content))
        request.progress = progress
        return try await client.value(request)
    }

    /// App.net takes raw bytes, pnut.io a form (§6.2).
    private func set(
        _ request: CallRequest,
        _ content: FileContent,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws {
        var request = request
        switch client.dialect {
        case .appNet:
            request.body = .content(content.requestContent)
            request.fields[.adnFileName] = content.name
        case .pnut: request.body = .content(form(content))
        }
        request.progress = progress
        try await client.perform(request)
    }

    private func form(_ content: FileContent) -> RequestContent {
        let form = MultipartForm([content.part(named: "content")])
        return .multipart(form, random: client.settings.environment.random)
    }
}
