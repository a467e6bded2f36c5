internal import Foundation
public import HeliumCore

// The four forms of creation, and the content of incomplete files (Docs/Protocols/AppNet.md §2.4).
extension FileCalls {
    /// Creates a file without content, which can be set later.
    ///
    /// `POST files`; a user token with one of `files`, `write_post`, `messages`, `public_messages`, `update_profile`.
    ///
    /// - Parameters:
    ///   - file: The new file. The type is required. The kind, name, media type, annotations and whether it is public
    ///     are sent too; other members are not.
    ///   - form: The encoding of the members. The default is JSON. A form cannot have annotations.
    ///   - parameters: The optional members of the response.
    /// - Returns: The file, with its write token.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func create(
        _ file: File,
        as form: FileMemberForm = .json,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try client.check(file.annotations, on: .file)
        let body = try FileCreation(file: file, dialect: client.dialect).body(form)
        return try await client.value(CallRequest(.createFile, body: body, parameters))
    }

    /// Creates a file with its content and derived files, which are read while they are sent.
    ///
    /// `POST files` as multipart form data; a user token with the same scopes as for a file without content. An
    /// interrupted upload is only repeated if none of it can have arrived, because otherwise there might be two files.
    ///
    /// - Parameters:
    ///   - file: The new file. The type is required. The kind, name, media type, annotations and whether it is public
    ///     are sent too; other members are not.
    ///   - content: The content.
    ///   - derived: The derived files by key. A key consists of letters, digits and `_`. App.net creates the thumbnails
    ///     `image_thumb_200s` and `image_thumb_960r` itself.
    ///   - form: The encoding of the file's members. The default is JSON if there are annotations, otherwise members of
    ///     the form.
    ///   - parameters: The optional members of the response.
    ///   - progress: Called with the progress of the upload: at its beginning, at most every 100 ms, and at its end.
    /// - Returns: The file, with its write token.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func create(
        _ file: File,
        content: FileContent,
        derived: [String: FileContent] = [:],
        as form: FileMemberForm? = nil,
        parameters: GeneralParameters = GeneralParameters(),
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

    /// Uploads the content of an incomplete file, which completes it.
    ///
    /// `PUT files/{id}/content`; a user token with the same scopes as for its creation.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - content: The content.
    ///   - token: The file's write token.
    ///   - progress: Called with the progress of the upload.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func setContent(
        of id: File.ID,
        to content: FileContent,
        token: Secret? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws {
        try await set(request(.setFileContent, ["file": id.text], token: token), content, progress)
    }

    /// Uploads a derived file of an incomplete file.
    ///
    /// `PUT files/{id}/content/{key}`; a user token with the same scopes as for its creation.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - key: The derived file's key: letters, digits and `_`.
    ///   - content: The content.
    ///   - token: The file's write token.
    ///   - progress: Called with the progress of the upload.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
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

    /// Uploads a derived file of an incomplete file as multipart form data.
    ///
    /// `POST files/{id}/content/{key}`; a user token with the same scopes as for its creation. App.net only.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - key: The derived file's key: letters, digits and `_`.
    ///   - content: The content.
    ///   - token: The file's write token.
    ///   - parameters: The optional members of the response.
    ///   - progress: Called with the progress of the upload.
    /// - Returns: The file.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func addDerived(
        _ key: String,
        _ content: FileContent,
        to id: File.ID,
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> File {
        try FileCreation.check(keys: [key], maximum: 1)
        var request = request(.addDerivedContent, ["file": id.text, "key": key], token: token, parameters)
        request.body = .content(form(content))
        request.progress = progress
        return try await client.value(request)
    }

    /// Sends content: raw bytes to App.net, multipart form data to pnut.io (Docs/Protocols/AppNet.md §6.2).
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
