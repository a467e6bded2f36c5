internal import HeliumCore

/// The call that processes text (Docs/Protocols/AppNet.md §2.6).
public struct TextCalls: Sendable {
    let client: AppNetClient

    /// The purpose of a text on pnut.io, which determines its limits.
    public enum Purpose: String, Hashable, Sendable {
        /// A post.
        case post
        /// A message.
        case message
    }

    /// Returns a text with the entities and HTML that the service creates for it. Nothing is stored.
    ///
    /// `POST text/process`; any token. It counts as a read (Docs/Protocols/AppNet.md §1.7).
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - entities: The given links and the options for detecting others (Docs/Protocols/AppNet.md §3.6).
    ///   - purpose: The purpose of the text; pnut.io only. The default is that of the service.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
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
