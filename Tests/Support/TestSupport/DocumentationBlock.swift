/// A Swift block of Markdown: in a document, or in a doc comment.
package struct DocumentationBlock: Hashable, Sendable {
    /// The number of the line that opens the block.
    package var line: Int
    /// The block's lines, without the indentation of the first.
    package var text: String
    /// Whether the block is marked as not compiled.
    package var isExempt: Bool

    package init(line: Int, text: String, isExempt: Bool) {
        self.line = line
        self.text = text
        self.isExempt = isExempt
    }

    /// The Swift blocks of a Markdown document.
    package static func blocks(ofMarkdown lines: [Substring]) -> [Self] {
        blocks(of: lines.enumerated().map { ($0 + 1, $1) })
    }

    /// The Swift blocks in the doc comments of a source file that DocC publishes: those of public declarations.
    package static func blocks(ofSwift lines: [Substring]) -> [Self] {
        var blocks: [Self] = []
        var comment: [(number: Int, text: Substring)] = []
        for (index, line) in lines.enumerated() {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("///") {
                let text = content.dropFirst(3)
                comment.append((index + 1, text.hasPrefix(" ") ? text.dropFirst() : text))
            } else if !comment.isEmpty, let isPublic = declaresPublicly(line, after: lines[..<index]) {
                if isPublic { blocks += Self.blocks(of: comment) }
                comment = []
            }
        }
        return blocks
    }

    private static func blocks(of lines: [(number: Int, text: Substring)]) -> [Self] {
        var blocks: [Self] = []
        var previous: Substring = ""
        var open: (number: Int, lines: [Substring])?
        for (number, line) in lines {
            let content = line.drop { $0 == " " }
            if let block = open {
                if content == "```" {
                    let isExempt = previous.hasPrefix("<!-- not compiled: ")
                    blocks.append(Self(line: block.number, text: dedented(block.lines), isExempt: isExempt))
                    open = nil
                    previous = ""
                } else {
                    open?.lines.append(line)
                }
            } else if content == "```swift" {
                open = (number, [])
            } else if !content.isEmpty {
                previous = content
            }
        }
        return blocks
    }

    /// The text without the indentation of its first line.
    static func dedented(_ lines: [Substring]) -> String {
        let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
        return lines.map { $0.dropFirst(min(indentation, $0.prefix { $0 == " " }.count)) }.joined(separator: "\n")
    }

    // MARK: Declarations

    private static let accessLevels: Set<Substring> = [
        "public", "open", "package", "internal", "fileprivate", "private",
    ]
    private static let keywords: Set<Substring> = [
        "actor", "associatedtype", "case", "class", "enum", "extension", "func", "init", "let", "macro", "protocol",
        "struct", "subscript", "typealias", "var",
    ]

    /// Whether a line declares something public; `nil` for a line that declares nothing, such as an attribute's.
    private static func declaresPublicly(_ line: Substring, after lines: ArraySlice<Substring>) -> Bool? {
        let words = words(of: line)
        let modifiers = words.prefix { !keywords.contains($0) }
        if let access = modifiers.first(where: accessLevels.contains) { return access == "public" || access == "open" }
        if line.drop(while: { $0 == " " }).hasPrefix("@") || modifiers.count == words.count { return nil }
        // An attribute's argument, in a line of its own: what a macro introduces.
        if modifiers.last == "named" { return nil }
        // Requirements and cases are as public as their type.
        let indentation = line.prefix { $0 == " " }.count
        let scope = lines.last { $0.contains("{") && $0.prefix { $0 == " " }.count < indentation } ?? ""
        let outer = Self.words(of: scope)
        return outer.contains("public")
            && (outer.contains("protocol") || outer.contains("enum") && words[modifiers.count] == "case")
    }

    private static func words(of line: Substring) -> [Substring] { line.split { !$0.isLetter && $0 != "_" } }
}
