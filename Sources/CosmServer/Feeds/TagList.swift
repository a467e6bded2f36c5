internal import Foundation
internal import HeliumJSON

/// Converts tags between lists and comma-joined strings (Docs/Protocols/Cosm.md §11).
enum TagList {
    /// The maximum number of characters of a datastream's joined tags.
    static let maximumLength = 255

    /// Splits a comma-joined string. A tag in double quotes may contain commas, and `\"` is a quote.
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

    /// Returns cleaned tags as a string with one tag per line, the form in which they are stored.
    static func stored(_ tags: [String]) -> String { tags.joined(separator: "\n") }

    /// Returns the tags in a string that ``stored(_:)`` returned.
    static func restored(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// Returns the number of characters of the comma-joined string.
    static func joinedLength(_ tags: [String]) -> Int { tags.reduce(-1) { $0 + $1.unicodeScalars.count + 1 } }

    /// Returns tags in the form in which they are kept: without quotes, commas and surrounding blanks, without empty
    /// tags and duplicates, sorted case-insensitively (Docs/Protocols/Cosm.md §10).
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
