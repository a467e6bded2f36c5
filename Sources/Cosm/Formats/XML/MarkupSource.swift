internal import Foundation
internal import HeliumJSON

/// Makes of an XML document what Foundation's parser can be given: UTF-8 without a declaration, a document type and processing
/// instructions.
///
/// On Linux the parser traps on names that are no UTF-8, which is what bytes of another encoding than the parser believes in
/// become, and on processing instructions without data. So the declaration is read here, and the parser sees neither.
enum MarkupSource {
    /// The document for the parser, its lines where they were.
    ///
    /// Names, attributes and depth are bounded before the parser sees them: its time grows with the square of each.
    ///
    /// - Throws: ``CosmDocumentError`` for an encoding but UTF-8, ASCII and ISO 8859-1, for what isn't in the encoding that it
    ///   states, and for a document type, which could define entities that grow when they are used.
    static func utf8(_ data: Data, limits: MarkupLimits) throws(CosmDocumentError) -> Data {
        var data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        var encoding = "utf-8"
        if let end = declarationEnd(data) {
            encoding = stated(in: data[..<end]) ?? encoding
            // Line feeds stay, so that lines are counted right.
            let lines = data[..<end].filter { $0 == UInt8(ascii: "\n") }
            data = Data(lines) + data[end...]
        }
        switch ByteText(encoding) {
        case "utf-8", "utf8", "us-ascii":
            break
        case "iso-8859-1":
            data = Data(String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) })).utf8)
        default:
            throw CosmDocumentError(format: .xml, reason: "the encoding \(encoding.excerpt(40)) is not taken", line: 1)
        }
        if data.contains(0) || String(validating: data, as: UTF8.self) == nil {
            throw CosmDocumentError(format: .xml, reason: "it is no UTF-8", line: 1)
        }
        return try withoutInstructions(data, limits)
    }

    /// The document with a blank, and its line feeds, in place of each processing instruction.
    private static func withoutInstructions(_ data: Data, _ limits: MarkupLimits) throws(CosmDocumentError) -> Data {
        var tags = MarkupTags(limits: limits)
        var rest = data
        var kept = Data()
        while let start = rest.range(of: Data("<".utf8))?.lowerBound {
            let tail = rest[start...]
            func line() -> Int { data[..<start].count { $0 == UInt8(ascii: "\n") } + 1 }
            func end(_ mark: String, after opening: Int) throws(CosmDocumentError) -> Data.Index {
                guard let end = tail.dropFirst(opening).range(of: Data(mark.utf8)) else {
                    throw CosmDocumentError(format: .xml, reason: "there is no \(mark)", line: line())
                }
                return end.upperBound
            }
            var next = rest.index(after: start)
            var isKept = true
            if tail.starts(with: Data("<!--".utf8)) {
                next = try end("-->", after: 4)
            } else if tail.starts(with: Data("<![CDATA[".utf8)) {
                next = try end("]]>", after: 9)
            } else if tail.starts(with: Data("<!".utf8)) {
                throw CosmDocumentError(format: .xml, reason: "a document type is not taken", line: line())
            } else if tail.starts(with: Data("<?".utf8)) {
                next = try end("?>", after: 2)
                isKept = false
            } else if let reason = tags.fault(inTagAt: start, of: data) {
                throw CosmDocumentError(format: .xml, reason: reason, line: line())
            }
            if isKept {
                kept += rest[..<next]
            } else {
                kept += rest[..<start]
                kept += [UInt8(ascii: " ")] + rest[start..<next].filter { $0 == UInt8(ascii: "\n") }
            }
            rest = rest[next...]
        }
        return kept + rest
    }

    /// Where the XML declaration ends; `nil` if the document has none.
    private static func declarationEnd(_ data: Data) -> Data.Index? {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        guard data.starts(with: Data("<?xml".utf8)), let next = data.dropFirst(5).first, blanks.contains(next) else {
            return nil
        }
        return data.range(of: Data("?>".utf8))?.upperBound
    }

    /// The encoding that a declaration states, in lower case; `nil` if it states none.
    private static func stated(in declaration: Data) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let name = text.range(of: "encoding") else { return nil }
        let value = text.utf8[name.upperBound...].drop { " =\"'\t\r\n".utf8.contains($0) }.prefix {
            !"\"'?".utf8.contains($0)
        }
        return String(decoding: value, as: UTF8.self).lowercased()
    }
}
