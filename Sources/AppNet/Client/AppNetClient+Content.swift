internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumKit

// File content is on other servers, to which a call redirects. The token is not sent there.
extension AppNetClient {
    /// The maximum number of redirects to file content.
    private static let maximumRedirects = 5

    /// Returns the content to which a call redirects.
    func content(_ request: CallRequest) async throws -> Data {
        let builder = try contentBuilder(request)
        let response = try await failing(as: request) { try await builder.response() }
        return response.value
    }

    /// Downloads the content to which a call redirects, and writes it to a file.
    func download(
        _ request: CallRequest,
        toPath path: String,
        options: DownloadOptions
    ) async throws -> HeliumDownload {
        let builder = try contentBuilder(request)
        return try await failing(as: request) { try await builder.download(toPath: path, options: options) }
    }

    private func contentBuilder(_ request: CallRequest) throws(AppNetError) -> RequestBuilder<Data> {
        // 204 is a response without content, for a file that has no content yet.
        try builder(request, returning: Data.self)
            .redirects(.follow(limit: Self.maximumRedirects))
            .acceptableStatusCodes(200..<204)
            .field(.accept, "*/*")
    }

    /// Returns a request for content at an address that the service gave, on any server. The token is not sent.
    ///
    /// - Throws: ``AppNetError`` of kind `invalidRequest` if the address is invalid.
    func contentBuilder(at address: WebAddress) throws(AppNetError) -> RequestBuilder<Data> {
        guard let url = address.url, var origin = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw AppNetError(.invalidRequest, "the URL of the content is invalid")
        }
        let path = origin.percentEncodedPath + (origin.percentEncodedQuery.map { "?\($0)" } ?? "")
        origin.percentEncodedPath = ""
        origin.percentEncodedQuery = nil
        origin.fragment = nil
        var options = settings.options
        options.redirects = .follow(limit: Self.maximumRedirects)
        do throws(HeliumError) {
            guard let base = origin.url else {
                throw HeliumError(configuration: "the URL of the content is invalid")
            }
            // This client is closed with its owner, because both use the same transport.
            let files = try Helium(baseURL: base, options: options, environment: environment)
            var builder = files.get(path, returning: Data.self).field(.accept, "*/*")
            if let callLimit { builder = builder.timeout(callLimit) }
            return builder
        } catch {
            throw AppNetError(error, call: nil, secrets: [])
        }
    }

    /// Runs a request for content and converts its errors to ``AppNetError``.
    func failing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as HeliumError {
            throw AppNetError(error, call: nil, secrets: secrets())
        }
    }

    /// Returns the URL to which a call redirects.
    func contentURL(_ request: CallRequest) async throws -> URL {
        let builder = try builder(request, returning: Data.self)
            .redirects(.never)
            .acceptableStatusCodes(300..<400)
            .field(.accept, "*/*")
        let response = try await failing(as: request) { try await builder.response() }
        guard let location = response[.location], let url = URL(string: location) else {
            let message = "the response to \(request.call.name) has no valid Location"
            throw AppNetError(.undecodable, message, underlying: response.failure(.emptyResponse, message))
        }
        return url
    }
}
