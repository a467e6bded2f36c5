internal import Foundation

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// Ceilings on what an XML document may make grow.
struct MarkupLimits {
    /// The longest document, in bytes.
    var maximumBytes = 64 << 20
    /// The deepest nesting: EEML has eight levels.
    var maximumDepth = 32
    /// The most elements and attributes.
    var maximumNodes = 4 << 20
}

/// Reads XML into nodes by Foundation's parser: no external entities, no document type, bounded in size, depth and count.
final class MarkupParser: NSObject, XMLParserDelegate {
    private let limits: MarkupLimits
    private var open: [MarkupNode] = []
    private var root: MarkupNode?
    private var rootNamespace: String?
    private var nodeCount = 0
    private var failure: CosmDocumentError?

    private init(limits: MarkupLimits) { self.limits = limits }

    /// The document's root and its namespace.
    ///
    /// - Throws: ``CosmDocumentError``.
    static func parse(
        _ data: Data,
        limits: MarkupLimits = MarkupLimits()
    ) throws(CosmDocumentError) -> (root: MarkupNode, namespace: String?) {
        if data.count > limits.maximumBytes {
            throw CosmDocumentError(format: .xml, reason: "longer than \(limits.maximumBytes) bytes")
        }
        try refuseDangers(data)
        let delegate = MarkupParser(limits: limits)
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = true
        parser.delegate = delegate
        let isRead = parser.parse()
        if let failure = delegate.failure { throw failure }
        guard isRead, let root = delegate.root else {
            throw CosmDocumentError(
                format: .xml,
                reason: "it is no well-formed XML",
                line: max(1, parser.lineNumber),
                column: parser.columnNumber > 0 ? parser.columnNumber : nil
            )
        }
        return (root, delegate.rootNamespace)
    }

    /// A document type could define entities that grow when they are used, and encodings of more than a byte a character could
    /// hide one.
    private static func refuseDangers(_ data: Data) throws(CosmDocumentError) {
        if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) || data.prefix(64).contains(0) {
            throw CosmDocumentError(format: .xml, reason: "it is no UTF-8", line: 1)
        }
        if let type = data.range(of: Data("<!DOCTYPE".utf8)) {
            let line = data[..<type.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
            throw CosmDocumentError(format: .xml, reason: "a document type is not taken", line: line)
        }
        let encoding = declaredEncoding(data) ?? "utf-8"
        if encoding == "iso-8859-1" { return }
        if !["utf-8", "utf8", "us-ascii"].contains(encoding) {
            throw CosmDocumentError(format: .xml, reason: "the encoding \(encoding.prefix(40)) is not taken", line: 1)
        }
        // Foundation's parser on Linux traps on names that are no UTF-8.
        if String(validating: data, as: UTF8.self) == nil {
            throw CosmDocumentError(format: .xml, reason: "it is no UTF-8", line: 1)
        }
    }

    /// What the XML declaration says, in lower case; `nil` if it says nothing.
    private static func declaredEncoding(_ data: Data) -> String? {
        guard let start = data.range(of: Data("<?xml".utf8)), start.lowerBound - data.startIndex <= 3,
            let end = data.range(of: Data("?>".utf8))
        else { return nil }
        let declaration = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        guard let name = declaration.range(of: "encoding") else { return nil }
        return declaration[name.upperBound...].drop { " =\"'\t\r\n".contains($0) }
            .prefix { !"\"'".contains($0) }.lowercased()
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
        if open.isEmpty { rootNamespace = namespaceURI }
        nodeCount += 1 + attributes.count
        if open.count == limits.maximumDepth { return stop(parser, "deeper than \(limits.maximumDepth) elements") }
        if nodeCount > limits.maximumNodes { return stop(parser, "more than \(limits.maximumNodes) elements") }
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
            return stop(parser, "a CDATA section is no UTF-8")
        }
        append(text)
    }

    private func append(_ text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    private static func localName(_ name: String) -> String {
        name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
