public import Foundation
internal import HeliumCore
public import HeliumJSON

/// The calls for the service's configuration (Docs/Protocols/AppNet.md §2.6).
public struct ConfigurationCalls: Sendable {
    let client: AppNetClient

    /// Returns the service's limits. Store them, and fetch them at most once a day.
    ///
    /// `GET config`; no token needed. pnut.io: `GET sys/config`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get() async throws -> ServiceConfiguration { try await client.value(CallRequest(.configuration)) }

    /// Returns the service's statistics.
    ///
    /// `GET sys/stats`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func statistics() async throws -> JSONValue { try await client.value(CallRequest(.statistics)) }

    /// Returns the progress of a long operation of the service.
    ///
    /// `GET sys/ops/{id}`; any token. pnut.io only.
    ///
    /// - Parameter id: The last component of ``ResponseMeta/statusURL``.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func operation(_ id: String) async throws -> JSONValue {
        try await client.value(CallRequest(.operation, ["operation": id]))
    }
}

/// The calls that describe pages for embedding; pnut.io only (Docs/Protocols/AppNet.md §6.2).
public struct EmbeddingCalls: Sendable {
    let client: AppNetClient

    /// Returns the oEmbed description of a page of the service.
    ///
    /// `GET oembed?url=`; no token needed. The response has no envelope.
    ///
    /// - Parameter page: The URL of a post (`https://posts.pnut.io/{id}`), of a public image
    ///   (`https://photos.pnut.io/{id}`) or of public audio (`https://audio.pnut.io/{id}`).
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func describe(_ page: URL) async throws -> OEmbed {
        let request = CallRequest(.embedding, query: ["url": page.absoluteString])
        let builder = try client.builder(request, returning: OEmbed.self)
        return try await client.failing(as: request) { try await builder.value() }
    }
}
