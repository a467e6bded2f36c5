public import Foundation
internal import HeliumCore

/// The calls that describe pages for embedding (AppNet.md §6.2). pnut.io only.
public struct EmbeddingCalls: Sendable {
    let client: AppNetClient

    /// Returns the oEmbed description of a page of the service.
    ///
    /// `GET oembed?url=`; no token needed. The response has no envelope.
    ///
    /// - Parameter page: The page of a post (`https://posts.pnut.io/{id}`), of a public image
    ///   (`https://photos.pnut.io/{id}`) or of public audio (`https://audio.pnut.io/{id}`).
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func describe(_ page: URL) async throws -> OEmbed {
        let request = CallRequest(.embedding, query: ["url": page.absoluteString])
        let builder = try client.builder(request, returning: OEmbed.self)
        return try await client.failing(as: request) { try await builder.value() }
    }
}
