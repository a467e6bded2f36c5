public import Foundation
public import HeliumCore
public import HeliumKit

// The content of files. The service redirects to its URL, and the token is not sent there.
extension FileCalls {
    /// Returns the content of a file or derived file in memory. The client's options limit its size.
    ///
    /// `GET files/{id}/content` or `…/content/{key}`; a user token or the file's token. App.net only: on pnut.io use
    /// ``content(at:)`` with ``File/url``.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - key: The derived file's key. The default is the file itself.
    ///   - token: The file's read or write token.
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/incompleteFile`` if the file has no content yet, or
    ///   `CancellationError` if the task is cancelled.
    public func content(of id: File.ID, derived key: String? = nil, token: Secret? = nil) async throws -> Data {
        try await client.content(contentRequest(id, key, token))
    }

    /// Downloads the content of a file or derived file to a path.
    ///
    /// The content is written to a temporary file next to the path, which it replaces when the download is complete.
    ///
    /// `GET files/{id}/content` or `…/content/{key}`; a user token or the file's token. App.net only: on pnut.io use
    /// ``download(from:toPath:options:)`` with ``File/url``.
    ///
    /// - Parameters:
    ///   - id: The id of the file.
    ///   - key: The derived file's key. The default is the file itself.
    ///   - token: The file's read or write token.
    ///   - path: The path of the file to create or replace.
    ///   - options: The options for resuming, verification and progress.
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/incompleteFile`` if the file has no content yet, or
    ///   `CancellationError` if the task is cancelled.
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

    /// Returns the URL of a file's content, which is valid for at least one hour.
    ///
    /// `GET files/{id}/content` or `…/content/{key}`, without following the redirect; a user token or the file's token.
    /// App.net only: on pnut.io use ``File/url``.
    ///
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/incompleteFile`` if the file has no content yet, or
    ///   `CancellationError` if the task is cancelled.
    public func contentURL(of id: File.ID, derived key: String? = nil, token: Secret? = nil) async throws -> URL {
        try await client.contentURL(contentRequest(id, key, token))
    }

    /// Returns the content at ``File/url`` or another address that the service gave, in memory.
    ///
    /// The token is not sent. For a private file, the address itself grants the right to read until it expires. Fetch
    /// the file again to get a new one.
    ///
    /// - Throws: ``AppNetError``, usually of kind ``AppNetError/Kind/notFound`` or ``AppNetError/Kind/forbidden`` if
    ///   the address has expired, or `CancellationError` if the task is cancelled.
    public func content(at address: WebAddress) async throws -> Data {
        let builder = try client.contentBuilder(at: address)
        return try await client.failing { try await builder.value() }
    }

    /// Downloads the content at ``File/url`` or another address that the service gave. See ``content(at:)``.
    ///
    /// - Parameters:
    ///   - address: The address of the content.
    ///   - path: The path of the file to create or replace.
    ///   - options: The options for resuming, verification and progress.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
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
