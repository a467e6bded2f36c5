internal import Foundation
internal import HeliumJSON

/// Converts an XML document into the form that Foundation's parser can read: UTF-8 without an XML declaration, a
/// document type and processing instructions.
///
/// On Linux the parser traps on names that are not valid UTF-8, as result from reading bytes in the wrong encoding, and
/// on processing instructions without data. Therefore the declaration is read here, and the parser gets neither a
/// declaration nor processing instructions.
enum MarkupSource {
    /// Returns the converted document. Line numbers stay the same.
    ///
    /// Names, attributes and depth are limited before parsing, because the time of the parser grows with the square of
    /// each.
    ///
    /// - Throws: ``CosmDocumentError`` for an encoding other than UTF-8, ASCII and ISO 8859-1, for bytes that are
    ///   invalid in the stated encoding, and for a document type, which could define entities that expand to huge
    ///   texts.
    static func utf8(_ data: Data, limits: MarkupLimits) throws(CosmDocumentError) -> Data {
        var data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        var encoding = "utf-8"
        if let end = declarationEnd(data) {
            encoding = stated(in: data[..<end]) ?? encoding
            // Line feeds are kept, so that line numbers stay correct.
            let lines = data[..<end].filter { $0 == UInt8(ascii: "\n") }
            data = Data(lines) + data[end...]
        }
        switch ByteText(encoding) {
        case "utf-8", "utf8", "us-ascii":
            break
        case "iso-8859-1":
            data = Data(String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) })).utf8)
        default:
            throw CosmDocumentError(
                format: .xml,
                reason: "the encoding \(encoding.excerpt(40)) is not supported",
                line: 1
            )
        }
        if data.contains(0) || String(validating: data, as: UTF8.self) == nil {
            throw CosmDocumentError(format: .xml, reason: "the document is not UTF-8", line: 1)
        }
        return try withoutInstructions(data, limits)
    }

    /// Replaces each processing instruction with a space and its line feeds.
    ///
    /// It works on an array: searching a slice of `Data` takes time that grows with the length of the data after it.
    private static func withoutInstructions(_ data: Data, _ limits: MarkupLimits) throws(CosmDocumentError) -> Data {
        let bytes = [UInt8](data)
        var tags = MarkupTags(limits: limits)
        var kept = Data()
        // The start of the bytes that were not copied to `kept` yet.
        var rest = 0
        var position = 0
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let tail = bytes[start...]
            func line() -> Int { bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1 }
            func end(_ mark: String, after opening: Int) throws(CosmDocumentError) -> Int {
                guard let end = bytes.end(of: Array(mark.utf8), from: start + opening) else {
                    throw CosmDocumentError(format: .xml, reason: "\(mark) is missing", line: line())
                }
                return end
            }
            position = start + 1
            if tail.starts(with: "<!--".utf8) {
                position = try end("-->", after: 4)
            } else if tail.starts(with: "<![CDATA[".utf8) {
                position = try end("]]>", after: 9)
            } else if tail.starts(with: "<!".utf8) {
                throw CosmDocumentError(format: .xml, reason: "document types are not supported", line: line())
            } else if tail.starts(with: "<?".utf8) {
                position = try end("?>", after: 2)
                kept += bytes[rest..<start]
                kept += [UInt8(ascii: " ")] + bytes[start..<position].filter { $0 == UInt8(ascii: "\n") }
                rest = position
            } else if let reason = tags.fault(inTagAt: start, of: bytes) {
                throw CosmDocumentError(format: .xml, reason: reason, line: line())
            }
        }
        return rest == 0 ? data : kept + bytes[rest...]
    }

    /// Returns the index after the XML declaration; `nil` if the document has none.
    private static func declarationEnd(_ data: Data) -> Data.Index? {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        guard data.starts(with: Data("<?xml".utf8)), let next = data.dropFirst(5).first, blanks.contains(next) else {
            return nil
        }
        return data.range(of: Data("?>".utf8))?.upperBound
    }

    /// Returns the encoding in a declaration, in lower case; `nil` if it does not state one.
    private static func stated(in declaration: Data) -> String? {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let name = text.range(of: "encoding") else { return nil }
        let value = text.utf8[name.upperBound...].drop { " =\"'\t\r\n".utf8.contains($0) }.prefix {
            !"\"'?".utf8.contains($0)
        }
        return String(decoding: value, as: UTF8.self).lowercased()
    }
}

extension [UInt8] {
    /// Returns the end of the first occurrence of `mark` that begins at or after `start`; `nil` if there is none.
    fileprivate func end(of mark: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + mark.count <= count {
            let end = index + mark.count
            if self[index] == mark[0], self[index..<end].elementsEqual(mark) { return end }
            index += 1
        }
        return nil
    }
}
