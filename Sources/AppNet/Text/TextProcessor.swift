/// Finds the mentions, hashtags and links in a text, as the service does (§3.6): to show a text before it is stored, and to send
/// links with it.
///
/// ```swift
/// let processor = TextProcessor(parsesMarkdownLinks: true)
/// let text = processor.process("See [the page](https://example.com/) #news")
/// print(text.text ?? "")  // See the page #news
/// for link in text.entities?.links ?? [] { print(link.position ?? 0, link.length ?? 0) }  // 4 8
/// ```
///
/// Which names are users only the service knows: each name is taken as a mention, without an id.
public struct TextProcessor: Hashable, Sendable {
    /// Whether links are looked for where some are given. Where none are given they always are.
    public var parsesLinks: Bool

    /// Whether `[anchor](url)` becomes a link; given links are then ignored, as by the service.
    public var parsesMarkdownLinks: Bool

    /// Whether ` [host]` is put behind anchors that name another host, as the service does when it stores the text.
    public var amendsLinks: Bool

    /// Whether mentions at the beginning are marked as leading: not in descriptions of users.
    public var marksLeadingMentions: Bool

    /// A processor.
    public init(
        parsesLinks: Bool = false,
        parsesMarkdownLinks: Bool = false,
        amendsLinks: Bool = false,
        marksLeadingMentions: Bool = true
    ) {
        self.parsesLinks = parsesLinks
        self.parsesMarkdownLinks = parsesMarkdownLinks
        self.amendsLinks = amendsLinks
        self.marksLeadingMentions = marksLeadingMentions
    }

    /// The text with its entities and HTML.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - given: Links of the writer's, by their positions; their texts are taken from `text`. Those outside of the text,
    ///     and those that overlap one before, are left out.
    public func process(_ text: String, links given: [Entities.Link]? = nil) -> ProcessedText {
        var scalars = Array(text.unicodeScalars)
        var spans: [LinkSpan]
        if parsesMarkdownLinks {
            let markdown = MarkdownLinks.replaced(in: scalars)
            (scalars, spans) = (markdown.scalars, markdown.links)
        } else {
            spans = Self.spans(of: given ?? [], in: scalars.count)
        }
        let areGiven = parsesMarkdownLinks ? !spans.isEmpty : given != nil
        if !areGiven || parsesLinks { spans = LinkScanner.merged(spans, foundIn: scalars) }
        if amendsLinks { LinkSpan.amend(&spans, in: &scalars) }
        var finder = WordScanner(scalars: scalars, links: spans, marksLeadingMentions: marksLeadingMentions)
        finder.scan()
        let entities = Entities(
            mentions: finder.mentions,
            hashtags: finder.hashtags,
            links: spans.map { $0.entity(in: scalars) }
        )
        let processed = String(scalars)
        return ProcessedText(text: processed, html: entities.html(of: processed), entities: entities)
    }

    private static func spans(of links: [Entities.Link], in count: Int) -> [LinkSpan] {
        var spans: [LinkSpan] = []
        for link in links.sorted(by: { ($0.position ?? 0) < ($1.position ?? 0) }) {
            guard let position = link.position, let length = link.length, let url = link.url, position >= 0, length > 0,
                position <= count, length <= count - position, position >= spans.last?.range.upperBound ?? 0
            else { continue }
            spans.append(LinkSpan(range: position..<position + length, url: url.text, given: link))
        }
        return spans
    }
}

extension String {
    /// A text of code points.
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
