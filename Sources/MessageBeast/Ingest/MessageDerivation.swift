internal import AppNet
internal import Foundation
internal import HeliumJSON

/// The rows derived from a message.
struct MessageDerivation: Sendable {
    struct Hashtag: Hashable, Sendable {
        let folded: String
        let name: String
    }

    struct AnnotationCount: Hashable, Sendable {
        let type: String
        var count: Int
    }

    let displayDate: Milliseconds
    let text: String?
    let hashtags: [Hashtag]
    let annotations: [AnnotationCount]
    let locations: [LocationRule]
    /// The words of the full-text index.
    let words: String?
    /// The target of an action message.
    let targetMessageID: String?

    init(_ message: Message, createdAt: Date, configuration: MessageManagerConfiguration) {
        displayDate = Milliseconds(configuration.displayDate(of: message, createdAt: createdAt))
        text = message.text.map(FoldedText.withoutNull)
        hashtags = configuration.isHashtagExtractionEnabled ? Self.hashtags(of: message) : []
        let all = message.annotations ?? []
        annotations = all.isEmpty ? [] : Self.counts(all, configuration.indexedTypes)
        locations = configuration.isLocationLookupEnabled && !all.isEmpty ? LocationRule.rules(for: all) : []
        words = text.map(IndexedText.words)
        targetMessageID = message.targetMessageID.map(\.text).flatMap { $0.utf8.contains(0) ? nil : $0 }
    }

    private static let maximumTags = 1024
    private static let maximumTagBytes = 1024

    /// Returns the hashtags in the spelling of the text. The service sends names in lower case.
    private static func hashtags(of message: Message) -> [Hashtag] {
        guard let entities = message.entities?.hashtags, !entities.isEmpty else { return [] }
        var tags: [Hashtag] = []
        var seen: Set<ByteText> = []
        let text = ScalarText(message.text ?? "")
        // A text of the service cannot contain more or longer hashtags.
        for entity in entities.prefix(maximumTags) {
            guard let name = entity.name, !name.isEmpty, name.utf8.count <= maximumTagBytes, !name.utf8.contains(0)
            else { continue }
            let folded = FoldedText.hashtag(name)
            guard seen.insert(folded) else { continue }
            let written = text.spelling(of: entity, name: name)
            let isSame = written.map { FoldedText.hashtag($0).hasSameBytes(as: folded) } ?? false
            tags.append(Hashtag(folded: folded, name: isSame ? written ?? name : name))
        }
        return tags
    }

    private static func counts(_ annotations: [Annotation], _ types: Set<ByteText>) -> [AnnotationCount] {
        guard !types.isEmpty else { return [] }
        var counts: [AnnotationCount] = []
        // There are at most as many counts as registered types.
        for annotation in annotations where types.contains(annotation.type) {
            if let index = counts.firstIndex(where: { $0.type.hasSameBytes(as: annotation.type) }) {
                counts[index].count += 1
            } else {
                counts.append(AnnotationCount(type: annotation.type, count: 1))
            }
        }
        return counts
    }
}

/// The characters of a text by position. The text is scanned once for all entities.
private struct ScalarText {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private let isASCII: Bool

    init(_ text: String) {
        self.text = text
        isASCII = text.isASCII
        scalars = isASCII ? [] : Array(text.unicodeScalars)
    }

    /// Returns a hashtag as spelled in the text, without `#`; `nil` if it is not there or much longer than its name.
    func spelling(of entity: Entities.Hashtag, name: String) -> String? {
        let count = isASCII ? text.utf8.count : scalars.count
        guard let position = entity.position, let length = entity.length, position >= 0, position < count, length > 0,
            length <= count - position, length <= 4 * name.utf8.count + 1
        else { return nil }
        if isASCII {
            let utf8 = text.utf8
            let start = utf8.index(utf8.startIndex, offsetBy: position + 1)
            return String(text[start..<utf8.index(start, offsetBy: length - 1)])
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[(position + 1)..<(position + length)])
        return String(view)
    }
}
