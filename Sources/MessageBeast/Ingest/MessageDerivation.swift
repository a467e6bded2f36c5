internal import AppNet
internal import Foundation

/// The rows that are derived from a message.
struct MessageDerivation: Sendable {
    struct Hashtag: Hashable, Sendable {
        let folded: String
        let name: String
    }

    struct AnnotationCount: Hashable, Sendable {
        let type: String
        let count: Int
    }

    let displayDate: Milliseconds
    let text: String?
    let hashtags: [Hashtag]
    let annotations: [AnnotationCount]
    let locations: [LocationRule]
    /// The tokens of the CJK index.
    let pairs: String?
    /// The target of an action message.
    let targetMessageID: String?

    init(_ message: Message, createdAt: Date, configuration: MessageManagerConfiguration) {
        displayDate = Milliseconds(configuration.displayDate(of: message, createdAt: createdAt))
        // SQLite's functions end a text there.
        text = message.text?.replacing("\0", with: "\u{FFFD}")
        hashtags = configuration.isHashtagExtractionEnabled ? Self.hashtags(of: message) : []
        let all = message.annotations ?? []
        annotations = configuration.annotationTypes.isEmpty ? [] : Self.counts(all, configuration.annotationTypes)
        locations = configuration.isLocationLookupEnabled && !all.isEmpty ? LocationRule.rules(for: all) : []
        pairs = message.text.flatMap(CJKPairs.indexed)
        targetMessageID = message.targetMessageID.map(\.text).flatMap { $0.utf8.contains(0) ? nil : $0 }
    }

    private static let maximumTags = 1024
    private static let maximumTagBytes = 1024

    /// The hashtags in the spelling of the text; names come in lower case.
    private static func hashtags(of message: Message) -> [Hashtag] {
        guard let entities = message.entities?.hashtags, !entities.isEmpty else { return [] }
        var tags: [Hashtag] = []
        // A text of the service has room for no more, and for no longer ones.
        for entity in entities.prefix(maximumTags) {
            guard let name = entity.name, !name.isEmpty, name.utf8.count <= maximumTagBytes, !name.utf8.contains(0)
            else { continue }
            let folded = FoldedText.hashtag(name)
            guard !tags.contains(where: { $0.folded == folded }) else { continue }
            let written = message.text.flatMap(entity.substring(in:)).map { String($0.dropFirst()) }
            let isSame = written.map { FoldedText.hashtag($0) == folded } ?? false
            tags.append(Hashtag(folded: folded, name: isSame ? written ?? name : name))
        }
        return tags
    }

    private static func counts(_ annotations: [Annotation], _ types: Set<String>) -> [AnnotationCount] {
        var counts: [AnnotationCount] = []
        for annotation in annotations where types.contains(annotation.type) {
            if let index = counts.firstIndex(where: { $0.type == annotation.type }) {
                counts[index] = AnnotationCount(type: annotation.type, count: counts[index].count + 1)
            } else {
                counts.append(AnnotationCount(type: annotation.type, count: 1))
            }
        }
        return counts
    }
}
