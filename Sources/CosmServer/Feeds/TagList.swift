internal import Foundation
internal import HeliumJSON

/// Tags as lists and as one comma-joined string (§11).
enum TagList {
    /// The most characters of a datastream's joined tags.
    static let maximumLength = 255

    /// Reads a comma-joined string: a tag in double quotes may hold commas, and `\"` is a quote.
    static func split(_ text: String) -> [String] {
        var tags: [String] = []
        var tag = ""
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                if character != "\"" { tag.append("\\") }
                tag.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                tags.append(tag)
                tag = ""
            } else {
                tag.append(character)
            }
        }
        if isEscaped { tag.append("\\") }
        tags.append(tag)
        return tags.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }

    /// Cleaned tags as one string, a line for each: how they are stored.
    static func stored(_ tags: [String]) -> String { tags.joined(separator: "\n") }

    /// What ``stored(_:)`` made.
    static func restored(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// The characters of the comma-joined string.
    static func joinedLength(_ tags: [String]) -> Int { tags.reduce(-1) { $0 + $1.unicodeScalars.count + 1 } }

    /// Tags as they are kept: without quotes, commas and blanks around them, none empty, none twice, sorted without
    /// regard to letter case (§10).
    static func cleaned(_ tags: [String]) -> [String] {
        var seen: Set<ByteText> = []
        let kept = tags.map { tag in
            tag.filter { $0 != "'" && $0 != "\"" && $0 != "," && !$0.isNewline }.trimmingCharacters(
                in: .whitespacesAndNewlines
            )
        }.filter { !$0.isEmpty && seen.insert($0) }
        return kept.map { (lower: ByteText($0.lowercased()), tag: ByteText($0)) }
            .sorted { $0 < $1 }.map(\.tag.string)
    }
}
