internal import HeliumJSON

/// The text of a post or of a message, with what goes with it (§3.6).
protocol TextContent {
    /// The text; `nil` if it is machine only or deleted.
    var text: String? { get }
    /// The entities of the text. The mentions of machine only content have no place in a text.
    var entities: AppNetEntities { get set }
    var annotations: [JSONValue] { get set }
}

extension TextContent {
    var processedText: ProcessedText? { text.map { ProcessedText(text: $0, entities: entities) } }

    /// Puts an id in the place of `{template}` in links and annotations.
    mutating func replaceTemplates(_ template: String, with id: Int64) {
        entities = entities.replacingTemplates(template, with: id)
        annotations = annotations.map { AnnotationTemplates.replaced($0, template, id) }
    }
}

/// A post or a message as the store keeps it.
protocol AuthoredRecord: TextContent, Sendable {
    var id: Int64 { get }
    var user: Int64 { get }
    var client: String { get }
    /// Seconds since 1970.
    var created: Int64 { get }
    var thread: Int64 { get }
    var replyTo: Int64? { get }
}
