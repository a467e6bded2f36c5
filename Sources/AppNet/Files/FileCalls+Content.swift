public import Foundation
public import HeliumCore
public import HeliumKit

// What files hold: the service leads to where it is, and the token doesn't go there.
extension FileCalls {
    /// A file's content, or a derived file's, in memory; at most as many bytes as the client's options allow an answer.
    ///
    /// `GET files/{id}/content` or `…/content/{key}`; a user token, or the file's. App.net only: on pnut.io
    /// ``content(at:)`` with ``File/url``.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - key: The derived file's key. Default: the file itself.
    ///   - token: The file's token, for reading or writing.
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/incompleteFile`` if there is none yet;
    ///   `CancellationError`.
    public func content(of id: File.ID, derived key: String? = nil, token: Secret? = nil) async throws -> Data {
        try await client.content(contentRequest(id, key, token))
    }

    /// A file's content, or a derived file's, written to a file: beside it first, and in its place once it is whole.
    ///
    /// `GET files/{id}/content` or `…/content/{key}`; a user token, or the file's. App.net only: on pnut.io
    /// ``content(at:)`` with ``File/url``.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - key: The derived file's key. Default: the file itself.
    ///   - token: The file's token, for reading or writing.
    ///   - path: The file to make, or to replace.
    ///   - options: Resuming, verifying, progress.
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/incompleteFile`` if there is none yet;
    ///   `CancellationError`.
    @discardableResult
    public func download(
        _ id: File.ID,
        derived key: String? = nil,
        token: Secret? = nil,
        toPath path: String,
        options: DownloadOptions = DownloadOptions()
    ) async throws -> HeliumDownload {
        try await client.download(contentRequest(id, key, token), toPath: path, options: options)
    }

    /// Where a file's content is for the next hour at least.
    ///
    /// `GET files/{id}/content` or `…/content/{key}`, whose redirect is not followed; a user token, or the file's.
    /// App.net only: on pnut.io it is ``File/url``.
    ///
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/incompleteFile`` if there is none yet;
    ///   `CancellationError`.
    public func contentURL(of id: File.ID, derived key: String? = nil, token: Secret? = nil) async throws -> URL {
        try await client.contentURL(contentRequest(id, key, token))
    }

    /// What is at ``File/url`` or another address that the service gave, in memory. The token doesn't go there: of a
    /// private file the address itself is the right to read it, for a while; fetch the file again then.
    ///
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/notFound`` or ``AppNetError/Kind/forbidden`` as a rule if
    ///   the address is no good any more; `CancellationError`.
    public func content(at address: WebAddress) async throws -> Data {
        let builder = try client.contentBuilder(at: address)
        return try await client.failing { try await builder.value() }
    }

    /// What is at ``File/url`` or another address that the service gave, written to a file: see ``content(at:)``.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - path: The file to make, or to replace.
    ///   - options: Resuming, verifying, progress.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func download(
        from address: WebAddress,
        toPath path: String,
        options: DownloadOptions = DownloadOptions()
    ) async throws -> HeliumDownload {
        let builder = try client.contentBuilder(at: address)
        return try await client.failing { try await builder.download(toPath: path, options: options) }
    }

    private func contentRequest(_ id: File.ID, _ key: String?, _ token: Secret?) -> CallRequest {
        guard let key else { return request(.fileContent, ["file": id.text], token: token) }
        return request(.derivedContent, ["file": id.text, "key": key], token: token)
    }
}
