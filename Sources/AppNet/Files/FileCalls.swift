public import HeliumCore
internal import HeliumJSON

/// The calls for files (Docs/Protocols/AppNet.md §2.4). Each call accepts a file's own token instead of the scope
/// `files`.
public struct FileCalls: Sendable {
    let client: AppNetClient

    /// Returns a file.
    ///
    /// `GET files/{id}`. Without a token only public files are visible.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - token: The file's read or write token.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(
        _ id: File.ID,
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try await client.value(request(.file, ["file": id.text], token: token, parameters))
    }

    /// Returns the files with the given ids. More than 200 ids are split over several calls.
    ///
    /// `GET files?ids=`; a user token with `files`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ ids: [File.ID], parameters: GeneralParameters = GeneralParameters()) async throws -> [File] {
        try await client.elements(ids, CallRequest(.filesByID, parameters))
    }

    /// Returns the files of the token's user. The pagination ids are file ids. A user stream can subscribe to this
    /// list.
    ///
    /// `GET users/me/files`; a user token with `files`.
    ///
    /// - Parameter parameters: The optional members of the response, and whether the list has incomplete and private
    ///   files or only some types.
    public func own(parameters: GeneralParameters = GeneralParameters()) -> PagedList<File> {
        client.list(CallRequest(.ownFiles, parameters))
    }

    /// Changes a file's name, annotations and whether it is public. Annotations are merged by type.
    ///
    /// `PUT files/{id}`; a user token of the owner with `files`. pnut.io: `PATCH`.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - changes: The new values. Members that are `nil` are not changed. Other members are not sent.
    ///   - token: The file's write token.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func update(
        _ id: File.ID,
        _ changes: File,
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try client.check(changes.annotations, on: .file)
        var request = request(.updateFile, ["file": id.text], token: token, parameters)
        request.body = .object(changes.sent())
        return try await client.value(request)
    }

    /// Deletes a file. Objects that refer to it are not changed.
    ///
    /// `DELETE files/{id}`; a user token of the owner with `files`.
    ///
    /// - Returns: The deleted file.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func delete(
        _ id: File.ID,
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try await client.value(request(.deleteFile, ["file": id.text], token: token, parameters))
    }

    /// Starts the deletion of several files, which the service continues in the background.
    ///
    /// `DELETE files?ids=`; a user token with `files`. pnut.io only.
    ///
    /// - Returns: Metadata whose ``ResponseMeta/statusURL`` identifies the operation for
    ///   ``ConfigurationCalls/operation(_:)``.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func deleteMany(_ ids: [File.ID]) async throws -> ResponseMeta {
        guard !ids.isEmpty else { throw AppNetError(.invalidRequest, "the list of files to delete is empty") }
        let query: QueryParameters = ["ids": ids.map(\.text).joined(separator: ",")]
        let answer = try await client.answer(CallRequest(.deleteFiles, query: query), as: JSONValue.self)
        return answer.value.meta ?? ResponseMeta()
    }

    /// Returns a call for files with a file's own token in its query (Docs/Protocols/AppNet.md §2.4, §6.3).
    func request(
        _ call: CallSpecification,
        _ path: [String: String],
        token: Secret?,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> CallRequest {
        var request = CallRequest(call, path, parameters)
        if let token {
            request.query[client.dialect == .appNet ? "file_token" : "file_token_read"] = .single(token.value)
            request.secrets = [token]
        }
        return request
    }
}
