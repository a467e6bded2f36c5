internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumKit

// Content is on other servers, where a call's redirect leads; the token doesn't go there.
extension AppNetClient {
    /// How many redirects lead to content at most.
    private static let maximumRedirects = 5

    /// The content that a call leads to.
    func content(_ request: CallRequest) async throws -> Data {
        let builder = try contentBuilder(request)
        let response = try await failing(as: request) { try await builder.response() }
        return response.value
    }

    /// The content that a call leads to, written to a file.
    func download(
        _ request: CallRequest,
        toPath path: String,
        options: DownloadOptions
    ) async throws -> HeliumDownload {
        let builder = try contentBuilder(request)
        return try await failing(as: request) { try await builder.download(toPath: path, options: options) }
    }

    private func contentBuilder(_ request: CallRequest) throws(AppNetError) -> RequestBuilder<Data> {
        // 204 is an answer without content: of a file that has none yet.
        try builder(request, returning: Data.self)
            .redirects(.follow(limit: Self.maximumRedirects))
            .acceptableStatusCodes(200..<204)
            .header(.accept, "*/*")
    }

    /// Where a call leads to.
    func contentURL(_ request: CallRequest) async throws -> URL {
        let builder = try builder(request, returning: Data.self)
            .redirects(.never)
            .acceptableStatusCodes(300..<400)
            .header(.accept, "*/*")
        let response = try await failing(as: request) { try await builder.response() }
        guard let location = response[.location], let url = URL(string: location) else {
            throw AppNetError(.undecodable, "the answer to \(request.call.name) leads nowhere")
        }
        return url
    }
}
