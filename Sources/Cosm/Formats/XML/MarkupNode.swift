/// An element of an XML document.
struct MarkupNode {
    /// The name without a prefix.
    var name: String
    /// The attributes by their names without a prefix. Those of the namespaces `xmlns` and `xsi` are left out.
    var attributes: [String: String] = [:]
    var children: [MarkupNode] = []
    /// The text of the element without that of its children.
    var text = ""
    var line = 0

    /// The text without surrounding white space, which has no meaning in EEML (Docs/Protocols/Cosm.md §13).
    var trimmedText: String {
        // It uses scalars: finding characters backwards takes quadratic time for some texts.
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }

    /// Whether the element has no attributes, no children and no text.
    var isEmpty: Bool { attributes.isEmpty && children.isEmpty && trimmedText.isEmpty }

    func fault(_ reason: String) -> CosmDocumentError {
        CosmDocumentError(format: .xml, reason: reason, line: line, path: "<\(name)>")
    }

    /// Returns the children with a name.
    func children(named name: String) -> [MarkupNode] { children.filter { $0.name == name } }

    /// Returns the first child with a name; `nil` if there is none.
    func child(_ name: String) -> MarkupNode? { children.first { $0.name == name } }

    /// Returns an element that has only text.
    static func leaf(_ name: String, _ text: String, line: Int) -> MarkupNode {
        MarkupNode(name: name, text: text, line: line)
    }
}
