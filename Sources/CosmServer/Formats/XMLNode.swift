internal import Foundation
internal import HeliumServerKit

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// An element of a request's XML: its name without a prefix, its attributes, its text and its children.
struct XMLNode: Hashable, Sendable {
    var name: String
    var attributes: [String: String] = [:]
    /// The text, trimmed.
    var text = ""
    var children: [XMLNode] = []

    /// Returns the first child with a name; `nil` if there is none.
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// Returns the text of the first child with a name; `nil` if there is none or it is empty
    /// (Docs/Protocols/Cosm.md §3.3).
    func text(_ name: String) -> String? {
        guard let text = child(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    /// Returns an attribute; `nil` if it is absent or empty (Docs/Protocols/Cosm.md §3.3).
    func attribute(_ name: String) -> String? {
        guard let text = attributes[name], !text.isEmpty else { return nil }
        return text
    }
}

extension XMLNode {
    static let maximumDepth = 32
    static let maximumElements = 100_000
    /// The maximum number of attributes of an element. EEML has at most eight, and the parser compares each attribute
    /// with all previous ones.
    static let maximumAttributes = 64

    /// Parses a document in UTF-8 or ASCII and returns its root. Documents with a DOCTYPE are rejected, so that neither
    /// external nor internal entities are possible.
    ///
    /// - Throws: ``CosmFailure`` with 400. For invalid XML the message has the line and column.
    static func parse(_ bytes: [UInt8]) throws(CosmFailure) -> XMLNode {
        let start = bytes.firstRange(of: "<!DOCTYPE".utf8)
        if start != nil { throw .unreadable(.xml, "a document type is not allowed") }
        guard !bytes.contains(0) else { throw .unusable(.null, .xml) }
        // A document type could be hidden in another encoding.
        guard let text = String(validating: bytes, as: UTF8.self), hasKnownEncoding(bytes) else {
            throw .unreadable(.xml, "the document is not in UTF-8")
        }
        // The parser stores attributes by their names, which must not be slow to compare.
        if let fault = text.textFault { throw .unusable(fault, .xml) }
        guard XMLScan.largestAttributeCount(of: bytes) <= maximumAttributes else {
            throw .unreadable(.xml, "an element has more than \(maximumAttributes) attributes")
        }
        // Foundation's parser on Linux traps on a processing instruction without data.
        if hasInstruction(bytes) { throw .unreadable(.xml, "a processing instruction is not allowed") }
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        let builder = Builder()
        parser.delegate = builder
        let isParsed = parser.parse()
        if let reason = builder.refusal { throw .unreadable(.xml, reason) }
        guard isParsed, parser.parserError == nil, let root = builder.root else {
            throw .unreadable(
                .xml,
                "the document is not XML at line \(parser.lineNumber), column \(parser.columnNumber)"
            )
        }
        // Character references in the source can result in combining marks.
        if let fault = root.textFault { throw .unusable(fault, .xml) }
        return root
    }

    private var textFault: TextFault? {
        text.textFault ?? attributes.values.firstValue(of: \.textFault) ?? children.firstValue(of: \.textFault)
    }

    /// Returns whether `<?` occurs anywhere after the declaration, including in comments and texts.
    private static func hasInstruction(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let isDeclared = bytes[start...].starts(with: "<?xml ".utf8)
        return bytes[(start + (isDeclared ? 2 : 0))...].firstRange(of: "<?".utf8) != nil
    }

    private static func hasKnownEncoding(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard head.contains("<?xml"), let declaration = head.firstRange(of: "?>") else { return true }
        let text = head[..<declaration.lowerBound].lowercased()
        guard let encoding = text.firstRange(of: "encoding") else { return true }
        let value = text[encoding.upperBound...].drop { " \t\r\n='\"".contains($0) }
        return value.hasPrefix("utf-8") || value.hasPrefix("us-ascii") || value.hasPrefix("utf8")
    }

    /// Builds the tree from the parser's callbacks, which arrive on the parsing thread.
    private final class Builder: NSObject, XMLParserDelegate {
        private(set) var root: XMLNode?
        private(set) var refusal: String?
        private var open: [XMLNode] = []
        private var count = 0

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            count += 1
            // The parser itself accepts a second root.
            if root != nil {
                refusal = "the document has more than one root"
            } else if open.count >= XMLNode.maximumDepth || count > XMLNode.maximumElements {
                refusal = "the document is too deep or has too many elements"
            }
            if refusal != nil { return parser.abortParsing() }
            open.append(XMLNode(name: Self.localName(elementName), attributes: attributes))
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if !open.isEmpty { open[open.count - 1].text += string }
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
        }

        func parser(
            _ parser: XMLParser,
            didEndElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            guard var node = open.popLast() else { return }
            node.text = node.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if open.isEmpty {
                root = node
            } else {
                open[open.count - 1].children.append(node)
            }
        }

        private static func localName(_ name: String) -> String {
            name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[$0...].dropFirst()) } ?? name
        }
    }
}
