internal import HeliumJSON

/// A part of a text with a special meaning (Docs/Protocols/AppNet.md §3.6).
///
/// Positions and lengths count Unicode code points, not UTF-16 units or Swift characters.
public protocol TextEntity: Sendable {
    /// The start, in code points.
    var position: Int? { get }

    /// The length, in code points.
    var length: Int? { get }
}

extension Entities.Mention: TextEntity {}
extension Entities.Hashtag: TextEntity {}
extension Entities.Link: TextEntity {}

extension TextEntity {
    /// Returns the range in the text; `nil` if the entity has no position, or one outside the text.
    ///
    /// A range may begin or end inside a character. For example, an emoji with modifiers is one character of several
    /// code points.
    public func range(in text: String) -> Range<String.Index>? {
        var finder = ScalarFinder(text)
        return finder.range(of: self)
    }

    /// Returns the substring of the text, in the author's letter case.
    public func substring(in text: String) -> Substring? { range(in: text).map { text[$0] } }
}

extension Entities.Link {
    /// Returns the range in the text including the ` [host]` that the server appended; `nil` if the position is outside
    /// the text.
    public func amendedRange(in text: String) -> Range<String.Index>? {
        var finder = ScalarFinder(text)
        return finder.range(position, amendedLength ?? length)
    }
}

/// A converter from code point positions to indices, which is fastest in ascending order.
struct ScalarFinder {
    private let scalars: String.UnicodeScalarView
    private var index: String.Index
    private var offset = 0

    init(_ text: String) {
        scalars = text.unicodeScalars
        index = scalars.startIndex
    }

    mutating func range(of entity: some TextEntity) -> Range<String.Index>? { range(entity.position, entity.length) }

    mutating func range(_ position: Int?, _ length: Int?) -> Range<String.Index>? {
        guard let position, let length, position >= 0, length >= 0, let start = place(at: position),
            let end = scalars.index(start, offsetBy: length, limitedBy: scalars.endIndex)
        else { return nil }
        return start..<end
    }

    private mutating func place(at position: Int) -> String.Index? {
        if position < offset { (index, offset) = (scalars.startIndex, 0) }
        guard let place = scalars.index(index, offsetBy: position - offset, limitedBy: scalars.endIndex) else {
            return nil
        }
        (index, offset) = (place, position)
        return place
    }
}

extension Entities {
    /// Returns the first mention of a user, ignoring letter case. The `@` is optional.
    public func mention(of username: String) -> Mention? {
        let name = username.hasPrefix("@") ? username.dropFirst().lowercased() : username.lowercased()
        return mentions?.first { $0.name?.lowercased().hasSameBytes(as: name) == true }
    }

    /// Returns whether a user is mentioned, ignoring letter case. The `@` is optional.
    public func mentions(_ username: String) -> Bool { mention(of: username) != nil }

    /// Returns whether the text has a hashtag, ignoring letter case. The `#` is optional. Composed and decomposed
    /// letters are equal.
    public func contains(hashtag: String) -> Bool {
        let name = hashtag.hasPrefix("#") ? hashtag.dropFirst().lowercased() : hashtag.lowercased()
        // Comparing runs of marks as a `String` takes more than linear time. No hashtag has long runs.
        if name.isSlowToCompare { return false }
        return hashtags?.contains { tag in
            guard let tag = tag.name?.lowercased(), !tag.isSlowToCompare else { return false }
            return tag == name
        } ?? false
    }

    /// The mentions at the beginning of the text, which name the users that it is directed to.
    public var leadingMentions: [Mention] { mentions?.filter { $0.isLeading == true } ?? [] }
}
