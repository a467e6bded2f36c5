public import Foundation
internal import HeliumCore
public import HeliumJSON

/// The calls of the service's configuration (§2.6).
public struct ConfigurationCalls: Sendable {
    let client: AppNetClient

    /// The service's limits. Keep a copy, and ask for it once a day at most.
    ///
    /// `GET config`; no token needed. pnut.io: `GET sys/config`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get() async throws -> ServiceConfiguration { try await client.value(CallRequest(.configuration)) }

    /// The service's statistics.
    ///
    /// `GET sys/stats`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func statistics() async throws -> JSONValue { try await client.value(CallRequest(.statistics)) }

    /// How far the service has got with something that takes long.
    ///
    /// `GET sys/ops/{id}`; any token. pnut.io only.
    ///
    /// - Parameter id: The last part of ``ResponseMeta/statusURL``.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func operation(_ id: String) async throws -> JSONValue {
        try await client.value(CallRequest(.operation, ["operation": id]))
    }
}

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
