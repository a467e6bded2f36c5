internal import Foundation

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// Limits on the size and complexity of an XML document.
struct MarkupLimits {
    /// The maximum length of a document, in bytes.
    var maximumBytes = 64 << 20
    /// The maximum nesting of elements. EEML has eight levels.
    var maximumDepth = 32
    /// The maximum number of attributes of an element. EEML has three.
    var maximumAttributes = 64
    /// The maximum length of the name of an element or attribute, in bytes.
    var maximumNameBytes = 256
    /// The maximum number of elements and attributes of a document.
    var maximumNodes = 4 << 20
}

/// Reads XML into nodes with Foundation's parser. External entities and document types are rejected, and size, depth
/// and number of elements are limited.
final class MarkupParser: NSObject, XMLParserDelegate {
    private let limits: MarkupLimits
    private var open: [MarkupNode] = []
    private var root: MarkupNode?
    private var rootNamespace: String?
    private var nodeCount = 0
    private var failure: CosmDocumentError?

    private init(limits: MarkupLimits) { self.limits = limits }

    /// Parses a document and returns its root and the namespace of the root.
    ///
    /// - Throws: ``CosmDocumentError``.
    static func parse(
        _ data: Data,
        limits: MarkupLimits = MarkupLimits()
    ) throws(CosmDocumentError) -> (root: MarkupNode, namespace: String?) {
        if data.count > limits.maximumBytes {
            throw CosmDocumentError(format: .xml, reason: "the document is longer than \(limits.maximumBytes) bytes")
        }
        let delegate = MarkupParser(limits: limits)
        let parser = XMLParser(data: try MarkupSource.utf8(data, limits: limits))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = true
        parser.delegate = delegate
        let isRead = parser.parse()
        if let failure = delegate.failure { throw failure }
        guard isRead, parser.parserError == nil, let root = delegate.root else {
            throw CosmDocumentError(
                format: .xml,
                reason: "it is not well-formed XML",
                line: max(1, parser.lineNumber),
                column: parser.columnNumber > 0 ? parser.columnNumber : nil
            )
        }
        return (root, delegate.rootNamespace)
    }

    private func stop(_ parser: XMLParser, _ reason: String) {
        if failure == nil { failure = CosmDocumentError(format: .xml, reason: reason, line: parser.lineNumber) }
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard failure == nil else { return }
        // The parser itself accepts a second root.
        if root != nil { return stop(parser, "more than one root element") }
        if open.isEmpty { rootNamespace = namespaceURI }
        nodeCount += 1 + attributes.count
        if open.count == limits.maximumDepth {
            return stop(parser, "elements are nested deeper than \(limits.maximumDepth)")
        }
        if nodeCount > limits.maximumNodes {
            return stop(parser, "the document has more than \(limits.maximumNodes) elements")
        }
        var node = MarkupNode(name: Self.localName(elementName), line: parser.lineNumber)
        for (name, value) in attributes where !name.hasPrefix("xmlns") && !name.hasPrefix("xsi:") {
            node.attributes[Self.localName(name)] = value
        }
        open.append(node)
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard failure == nil, let node = open.popLast() else { return }
        if open.isEmpty {
            root = node
        } else {
            open[open.count - 1].children.append(node)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { append(string) }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        guard let text = String(validating: CDATABlock, as: UTF8.self) else {
            return stop(parser, "a CDATA section is not UTF-8")
        }
        append(text)
    }

    private func append(_ text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    private static func localName(_ name: String) -> String {
        name.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(name[name.utf8.index(after: $0)...]) } ?? name
    }
}
