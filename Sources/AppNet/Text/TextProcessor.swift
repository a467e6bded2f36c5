/// A processor that finds the mentions, hashtags and links in a text like the service does
/// (Docs/Protocols/AppNet.md §3.6).
///
/// Use it to display a text before it is stored, and to send links with it.
///
/// ```swift
/// let processor = TextProcessor(parsesMarkdownLinks: true)
/// let text = processor.process("See [the page](https://example.com/) #news")
/// print(text.text ?? "")  // See the page #news
/// for link in text.entities?.links ?? [] { print(link.position ?? 0, link.length ?? 0) }  // 4 8
/// ```
///
/// Only the service knows the existing users, so every name is treated as a mention without an id.
public struct TextProcessor: Hashable, Sendable {
    /// Whether links are detected if some are given. If none are given, they are always detected.
    public var parsesLinks: Bool

    /// Whether `[anchor](url)` is converted to a link. Given links are then ignored, as the service does.
    public var parsesMarkdownLinks: Bool

    /// Whether ` [host]` is appended to anchors with another host than their URL, as the service does when it stores
    /// the text.
    public var amendsLinks: Bool

    /// Whether mentions at the beginning are marked as leading. The service does not do this for descriptions of users.
    public var marksLeadingMentions: Bool

    /// Creates a processor.
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

    /// Returns the text with its entities and HTML.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - given: The author's links with their positions. Their anchors are taken from `text`. Links outside the text,
    ///     and those that overlap an earlier link, are left out.
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

    static func spans(of links: [Entities.Link], in count: Int) -> [LinkSpan] {
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
    /// Creates a text from code points.
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
