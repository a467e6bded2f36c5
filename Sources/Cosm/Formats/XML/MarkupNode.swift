/// An element of an XML document.
struct MarkupNode {
    /// The name without a prefix.
    var name: String
    /// By names without a prefix, those of XML itself left out.
    var attributes: [String: String] = [:]
    var children: [MarkupNode] = []
    /// The text in it, without that of its children.
    var text = ""
    var line = 0

    /// The text without blanks around, which is how it is meant (§13).
    var trimmedText: String {
        // Scalars: characters are found backwards in time that grows with the square of some runs.
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }

    /// Whether nothing stands in it.
    var isEmpty: Bool { attributes.isEmpty && children.isEmpty && trimmedText.isEmpty }

    func fault(_ reason: String) -> CosmDocumentError {
        CosmDocumentError(format: .xml, reason: reason, line: line, path: "<\(name)>")
    }

    /// The children of that name.
    func children(named name: String) -> [MarkupNode] { children.filter { $0.name == name } }

    /// The child of that name, the first of them.
    func child(_ name: String) -> MarkupNode? { children.first { $0.name == name } }

    /// A child with nothing but text.
    static func leaf(_ name: String, _ text: String, line: Int) -> MarkupNode {
        MarkupNode(name: name, text: text, line: line)
    }
}
