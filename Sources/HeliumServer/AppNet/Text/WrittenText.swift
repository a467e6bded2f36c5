/// A text as its writer sends it, with the writer's own entities (§3.6).
struct WrittenText: Sendable {
    /// A link given by the writer.
    struct Link: Hashable, Sendable {
        var position: Int
        var length: Int
        var url: String
        /// Whether `{post_id}` and `{message_id}` in the URL are replaced after saving.
        var processesTemplate = true
    }

    var text: String
    /// Sorted by position; nil where the writer gave none, which leaves them to the server.
    var links: [Link]?
    /// Whether the server looks for links.
    var parsesLinks = true
    /// Whether leading mentions are told; not in descriptions.
    var marksLeadingMentions = true

    /// - Parameter entities: the body's member; links in the form of Markdown are taken out of the text here
    /// - Throws: ``AppNetFailure`` with 400.
    init(text: String, entities: JSONTree?) throws(AppNetFailure) {
        self.text = text
        guard let entities, entities != .null else { return }
        guard case .object = entities else { throw .badRequest("entities must be an object.") }
        if entities["parse_markdown_links"]?.lenientFlag ?? false {
            let markdown = MarkdownLinks(text)
            self.text = markdown.text
            links = markdown.links
        } else if let given = entities["links"], given != .null {
            guard let given = given.arrayValue else { throw .badRequest("entities.links must be a list.") }
            var links: [Link] = []
            for link in given { links.append(try Self.link(link)) }
            self.links = links.sorted { $0.position < $1.position }
        }
        // Markdown's links do not switch the server's own off where there is none.
        if let links, !(links.isEmpty && entities["links"] == nil) {
            parsesLinks = entities["parse_links"]?.lenientFlag ?? false
        }
    }

    private static func link(_ value: JSONTree) throws(AppNetFailure) -> Link {
        guard let position = value["pos"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let length = value["len"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let url = value["url"]?.stringValue
        else { throw .badRequest("A link needs pos, len and url.") }
        guard LinkDetector.isWebURL(url) else { throw .badRequest("A link's url must be http or https.") }
        return Link(
            position: position,
            length: length,
            url: url,
            processesTemplate: value["process_template"]?.lenientFlag ?? true
        )
    }
}

/// Links in the form `[anchor](url)`, taken out of a text.
struct MarkdownLinks: Sendable {
    private(set) var text = ""
    private(set) var links: [WrittenText.Link] = []

    init(_ source: String) {
        let scalars = Array(source.unicodeScalars)
        var out = String.UnicodeScalarView()
        var count = 0
        var position = 0
        while position < scalars.count {
            if let found = Self.link(scalars, at: position) {
                links.append(
                    WrittenText.Link(position: count, length: found.anchor.count, url: found.url)
                )
                out.append(contentsOf: scalars[found.anchor])
                count += found.anchor.count
                position = found.end
            } else {
                out.append(scalars[position])
                count += 1
                position += 1
            }
        }
        text = String(out)
    }

    private static func link(
        _ scalars: [Unicode.Scalar],
        at start: Int
    ) -> (anchor: Range<Int>, url: String, end: Int)? {
        guard scalars[start] == "[", let close = scalars[start...].firstIndex(of: "]"), close > start + 1,
            close + 1 < scalars.count, scalars[close + 1] == "(",
            let end = scalars[(close + 2)...].firstIndex(where: { $0 == ")" || $0.properties.isWhitespace }),
            scalars[end] == ")"
        else { return nil }
        let url = String(String.UnicodeScalarView(scalars[(close + 2)..<end]))
        guard LinkDetector.isWebURL(url) else { return nil }
        return ((start + 1)..<close, url, end + 1)
    }
}
