internal import HeliumJSON
internal import HeliumServerKit

/// A text as its writer sends it, with the writer's own entities (§3.6).
struct WrittenText: Sendable {
    /// A link given by the writer.
    struct Link: Hashable, Sendable {
        var position: Int
        var length: Int
        var url: String
        /// The title that Markdown gives it on pnut.io (AppNet.md §6.3).
        var title: String?
        /// Whether `{post_id}`, `{message_id}` or `{object_id}` in the URL is replaced after saving.
        var processesTemplate = true
    }

    var text: String
    /// Sorted by position; nil where the writer gave none, which leaves them to the server.
    var links: [Link]?
    /// Whether the server looks for links.
    var parsesLinks = true
    /// Whether leading mentions are told; not in descriptions.
    var marksLeadingMentions = true
    /// How the server reads the text.
    let rules: TextRules

    /// - Parameters:
    ///   - entities: the body's member; links in the form of Markdown are taken out of the text here
    ///   - rules: those of the dialect in which it was sent
    /// - Throws: ``AppNetFailure`` with 400.
    init(text: String, entities: JSONValue?, rules: TextRules = .appNet) throws(AppNetFailure) {
        self.text = text
        self.rules = rules
        guard let entities, entities != .null else { return }
        guard case .object = entities else { throw .badRequest("entities must be an object.") }
        if entities["parse_markdown_links"]?.lenientFlag ?? false {
            let markdown = MarkdownLinks(text, rules)
            self.text = markdown.text
            links = markdown.links
        } else if let given = entities["links"], given != .null {
            guard let given = given.arrayValue else { throw .badRequest("entities.links must be a list.") }
            let links = try given.map { link throws(AppNetFailure) in try Self.link(link, rules) }
            self.links = links.sorted { $0.position < $1.position }
        }
        // Markdown's links do not switch the server's own off where there is none.
        if let links, !(links.isEmpty && entities["links"] == nil) {
            parsesLinks = entities["parse_links"]?.lenientFlag ?? false
        } else if rules.obeysParseLinks, let flag = entities["parse_links"]?.lenientFlag {
            parsesLinks = flag
        }
    }

    private static func link(_ value: JSONValue, _ rules: TextRules) throws(AppNetFailure) -> Link {
        guard let position = value["pos"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let length = value["len"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let url = value["url"]?.stringValue
        else { throw .badRequest("A link needs pos, len and url.") }
        try require(LinkDetector.isWebURL(url, rules), "A link's url must be \(rules.schemeList).")
        return Link(
            position: position,
            length: length,
            url: url,
            processesTemplate: value["process_template"]?.lenientFlag ?? true
        )
    }
}
