internal import HeliumJSON

/// The text, entities and annotations of a post or message (Docs/Protocols/AppNet.md §3.6).
protocol TextContent {
    /// The text; `nil` for machine-only and deleted content.
    var text: String? { get }
    /// The entities of the text. The mentions of machine-only content have no position in a text.
    var entities: AppNetEntities { get set }
    var annotations: [JSONValue] { get set }
}

extension TextContent {
    var processedText: ProcessedText? { text.map { ProcessedText(text: $0, entities: entities) } }

    /// Replaces `{template}` in links and annotations by an id.
    mutating func replaceTemplates(_ template: String, with id: Int64) {
        entities = entities.replacingTemplates(template, with: id)
        annotations = annotations.map { AnnotationTemplates.replaced($0, template, id) }
    }
}

/// A post or a message in its stored form.
protocol AuthoredRecord: TextContent, Sendable {
    var id: Int64 { get }
    var user: Int64 { get }
    var client: String { get }
    /// The creation time in seconds since 1970.
    var created: Int64 { get }
    var thread: Int64 { get }
    var replyTo: Int64? { get }
}
