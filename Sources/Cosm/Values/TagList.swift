/// Tags joined to one text, as Cosm keeps them (§11).
enum TagList {
    /// The tags of a joined text: parted by commas but inside of quotes; `\"` is a quote; blanks around each go.
    static func tags(in joined: String) -> [String] {
        var tags: [String] = []
        var tag = String.UnicodeScalarView()
        // Blanks outside of quotes: they count once something follows them.
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
