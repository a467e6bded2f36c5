internal import HeliumCore

/// The call that processes texts (§2.6).
public struct TextCalls: Sendable {
    let client: AppNetClient

    /// What a text is for, on pnut.io: their limits differ.
    public enum Purpose: String, Hashable, Sendable {
        /// A post.
        case post
        /// A message.
        case message
    }

    /// A text with the entities and HTML that the service makes of it. Nothing is stored.
    ///
    /// `POST text/process`; any token. It counts as reading (§1.7).
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - entities: Links of your own, and how to find others (§3.6).
    ///   - purpose: What it is for; pnut.io only. Default: the service's.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func process(
        _ text: String,
        entities: Entities? = nil,
        for purpose: Purpose? = nil
    ) async throws -> ProcessedText {
        let query: QueryParameters = ["object_type": client.dialect == .pnut ? purpose?.rawValue : nil]
        let body = ProcessedText(text: text, entities: entities)
        return try await client.value(CallRequest(.processText, query: query, body: .object(body)))
    }
}
