internal import HeliumJSON

/// A part of a text that means more than its letters (§3.6).
///
/// Positions count Unicode code points: neither UTF-16 units nor Swift's characters.
public protocol TextEntity: Sendable {
    /// Where it begins, in code points.
    var position: Int? { get }

    /// How many code points it has.
    var length: Int? { get }
}

extension Entities.Mention: TextEntity {}
extension Entities.Hashtag: TextEntity {}
extension Entities.Link: TextEntity {}

extension TextEntity {
    /// Its place in the text; `nil` if it has no position, or one outside of the text.
    ///
    /// A range may begin or end inside of a character: an emoji with modifiers is one character of several code points.
    public func range(in text: String) -> Range<String.Index>? {
        var finder = ScalarFinder(text)
        return finder.range(of: self)
    }

    /// What it says in the text, in the writer's letter case.
    public func substring(in text: String) -> Substring? { range(in: text).map { text[$0] } }
}

extension Entities.Link {
    /// Its place in the text with the ` [host]` that the server put behind it; `nil` if the position is outside of the text.
    public func amendedRange(in text: String) -> Range<String.Index>? {
        var finder = ScalarFinder(text)
        return finder.range(position, amendedLength ?? length)
    }
}

/// Finds places in a text by their numbers of code points, quickest in ascending order.
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
    /// The first mention of a user, whatever the letter case; with or without `@`.
    public func mention(of username: String) -> Mention? {
        let name = username.hasPrefix("@") ? username.dropFirst().lowercased() : username.lowercased()
        return mentions?.first { $0.name?.lowercased().hasSameBytes(as: name) == true }
    }

    /// Whether a user is mentioned, whatever the letter case; with or without `@`.
    public func mentions(_ username: String) -> Bool { mention(of: username) != nil }

    /// Whether a hashtag is there, whatever the letter case; with or without `#`.
    public func contains(hashtag: String) -> Bool {
        let name = hashtag.hasPrefix("#") ? hashtag.dropFirst().lowercased() : hashtag.lowercased()
        return hashtags?.contains { $0.name?.lowercased().hasSameBytes(as: name) == true } ?? false
    }

    /// The mentions that the text begins with: whom it is directed to.
    public var leadingMentions: [Mention] { mentions?.filter { $0.isLeading == true } ?? [] }
}
