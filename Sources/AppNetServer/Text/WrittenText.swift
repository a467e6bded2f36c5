internal import HeliumJSON
internal import HeliumServerKit

/// A text as a client sends it, with the client's entities (Docs/Protocols/AppNet.md §3.6).
struct WrittenText: Sendable {
    /// A link from the client.
    struct Link: Hashable, Sendable {
        var position: Int
        var length: Int
        var url: String
        /// The title from Markdown in pnut.io (Docs/Protocols/AppNet.md §6.3).
        var title: String?
        /// Whether `{post_id}`, `{message_id}` or `{object_id}` in the URL is replaced after the object was saved.
        var processesTemplate = true
    }

    var text: String
    /// The links, sorted by position; `nil` if the client sent none, so that the server finds them.
    var links: [Link]?
    /// Whether the server finds links.
    var parsesLinks = true
    /// Whether leading mentions are marked. In descriptions they are not.
    var marksLeadingMentions = true
    /// The rules by which the server parses the text.
    let rules: TextRules

    /// Parses the entities of a text.
    ///
    /// - Parameters:
    ///   - entities: The `entities` member of the body. Markdown links are removed from the text.
    ///   - rules: The rules of the dialect of the request.
    /// - Throws: ``AppNetFailure`` with 400 if the entities are invalid.
    init(text: String, entities: JSONValue?, rules: TextRules = .appNet) throws(AppNetFailure) {
        // Before the text is parsed. After that, its length without Markdown counts.
        try require(
            text.utf8.count <= TextLimits.writtenBytes,
            "The text has more than \(TextLimits.writtenBytes) bytes."
        )
        self.text = text
        self.rules = rules
        guard let entities, entities != .null else { return }
        guard case .object = entities else { throw .badRequest("entities must be an object.") }
        if entities["parse_markdown_links"]?.lenientFlag ?? false {
            let markdown = MarkdownLinks(text, rules)
            self.text = markdown.text
            links = markdown.links
        } else if let given = entities["links"], given != .null {
            guard let given = given.arrayValue, given.count <= TextLimits.links else {
                throw .badRequest("entities.links must be a list of at most \(TextLimits.links) links.")
            }
            let links = try given.map { link throws(AppNetFailure) in try Self.link(link, rules) }
            self.links = links.sorted { $0.position < $1.position }
        }
        // If the text contains no Markdown link, the server still finds links.
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
        try require(url.utf8.count <= TextLimits.urlBytes, "A link's url has at most \(TextLimits.urlBytes) bytes.")
        try require(LinkDetector.isWebURL(url, rules), "A link's url must be \(rules.schemeList).")
        return Link(
            position: position,
            length: length,
            url: url,
            processesTemplate: value["process_template"]?.lenientFlag ?? true
        )
    }
}
