/// The form of tags that are joined to one text (Docs/Protocols/Cosm.md §11).
enum TagList {
    /// Returns the tags of a joined text. Commas outside of quotes separate tags, `\"` is a quote, and blanks around
    /// each tag are removed.
    static func tags(in joined: String) -> [String] {
        var tags: [String] = []
        var tag = String.UnicodeScalarView()
        // Blanks outside of quotes. They belong to the tag only if other characters follow.
        var blanks = String.UnicodeScalarView()
        var isQuoted = false
        var isEscaped = false
        func add(_ character: Unicode.Scalar) {
            tag += blanks
            tag.append(character)
            blanks.removeAll()
        }
        func finish() {
            if !tag.isEmpty { tags.append(String(tag)) }
            tag.removeAll()
            blanks.removeAll()
        }
        for character in joined.unicodeScalars {
            if isEscaped {
                isEscaped = false
                if character != "\"" { add("\\") }
                if character == "\"" {
                    add(character)
                    continue
                }
            }
            switch character {
            case "\\": isEscaped = true
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: finish()
            case _ where character.properties.isWhitespace && !isQuoted: if !tag.isEmpty { blanks.append(character) }
            default: add(character)
            }
        }
        if isEscaped { add("\\") }
        finish()
        return tags
    }
}
