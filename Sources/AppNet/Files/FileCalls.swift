public import HeliumCore
internal import HeliumJSON

/// The calls of files (§2.4). Each takes a file's own token in place of the scope `files`.
public struct FileCalls: Sendable {
    let client: AppNetClient

    /// A file.
    ///
    /// `GET files/{id}`; without a token public files only.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - token: The file's token, for reading or writing.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(
        _ id: File.ID,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try await client.value(request(.file, ["file": id.text], token: token, parameters))
    }

    /// The files that there are under ids. More than 200 take several calls.
    ///
    /// `GET files?ids=`; a user token with `files`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ ids: [File.ID], _ parameters: GeneralParameters = GeneralParameters()) async throws -> [File] {
        try await client.elements(ids, CallRequest(.filesByID, parameters))
    }

    /// The files of the token's user. A user stream can subscribe to them. Positions are files' ids.
    ///
    /// `GET users/me/files`; a user token with `files`.
    ///
    /// - Parameter parameters: What the answer is to have; types, incomplete and private files.
    public func own(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<File> {
        client.list(CallRequest(.ownFiles, parameters))
    }

    /// Changes a file's name, whether it is public, and its annotations, merged by type.
    ///
    /// `PUT files/{id}`; a user token of the owner with `files`. pnut.io: `PATCH`.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - changes: What is to change; what is `nil` stays, and the rest is not sent.
    ///   - token: The file's token for writing.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func update(
        _ id: File.ID,
        _ changes: File,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try client.check(changes.annotations, on: .file)
        var request = request(.updateFile, ["file": id.text], token: token, parameters)
        request.body = .object(changes.sent())
        return try await client.value(request)
    }

    /// Deletes a file. What refers to it stays as it is.
    ///
    /// `DELETE files/{id}`; a user token of the owner with `files`.
    ///
    /// - Returns: The file that was.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func delete(
        _ id: File.ID,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> File {
        try await client.value(request(.deleteFile, ["file": id.text], token: token, parameters))
    }

    /// Begins to delete files: the service goes on by itself.
    ///
    /// `DELETE files?ids=`; a user token with `files`. pnut.io only.
    ///
    /// - Returns: ``ResponseMeta/statusURL`` is where to ask how far it is: ``ConfigurationCalls/operation(_:)``.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func deleteMany(_ ids: [File.ID]) async throws -> ResponseMeta {
        guard !ids.isEmpty else { throw AppNetError(.invalidRequest, "no files are to be deleted") }
        let query: QueryParameters = ["ids": ids.map(\.text).joined(separator: ",")]
        let answer = try await client.answer(CallRequest(.deleteFiles, query: query), as: JSONValue.self)
        return answer.value.meta ?? ResponseMeta()
    }

    /// A call of files with a file's own token, which stands in the query (§2.4, §6.3).
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
