internal import Foundation
internal import HeliumServerKit

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// An element of a request's XML: its name without a prefix, its attributes, its text and its children.
struct XMLNode: Hashable, Sendable {
    var name: String
    var attributes: [String: String] = [:]
    /// Trimmed.
    var text = ""
    var children: [XMLNode] = []

    /// The first child of that name.
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// The text of the first child of that name; nil where there is none or it is empty (§3.3).
    func text(_ name: String) -> String? {
        guard let text = child(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    /// An attribute; empty ones count as absent (§3.3).
    func attribute(_ name: String) -> String? {
        guard let text = attributes[name], !text.isEmpty else { return nil }
        return text
    }
}

extension XMLNode {
    static let maximumDepth = 32
    static let maximumElements = 100_000
    /// The most attributes of one element. EEML has at most eight, and the parser compares each with all before it.
    static let maximumAttributes = 64

    /// The root element of a document in UTF-8 or ASCII. Documents with a DOCTYPE are refused, so that neither external
    /// nor internal entities exist.
    ///
    /// - Throws: ``CosmFailure`` with 400 that tells line and column.
    static func parse(_ bytes: [UInt8]) throws(CosmFailure) -> XMLNode {
        let start = bytes.firstRange(of: "<!DOCTYPE".utf8)
        if start != nil { throw .unreadable(.xml, "a document type is not allowed") }
        guard !bytes.contains(0) else { throw .unusable(.null, .xml) }
        // Another encoding could hide a document type.
        guard let text = String(validating: bytes, as: UTF8.self), hasKnownEncoding(bytes) else {
            throw .unreadable(.xml, "the document is not in UTF-8")
        }
        // The parser keeps attributes by their names.
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
                "the document is no XML at line \(parser.lineNumber), column \(parser.columnNumber)"
            )
        }
        // Character references become marks when they are read.
        if let fault = root.textFault { throw .unusable(fault, .xml) }
        return root
    }

    private var textFault: TextFault? {
        text.textFault ?? attributes.values.firstValue(of: \.textFault) ?? children.firstValue(of: \.textFault)
    }

    /// Whether `<?` stands anywhere but in the declaration, in comments and texts too.
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

    /// Builds the tree on the parser's calls, which all come on the thread that parses.
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
            // The parser itself lets a second root pass.
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
