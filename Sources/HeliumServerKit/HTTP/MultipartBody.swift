internal import Foundation

/// A body of `multipart/form-data` (RFC 7578), taken apart.
package struct MultipartBody: Sendable {
    /// One field or file of a form.
    package struct Part: Hashable, Sendable {
        /// The field's name.
        package let name: String
        /// The file's name as the client gave it, without folders; nil for a plain field.
        package let fileName: String?
        /// The part's own `Content-Type`; nil where it has none.
        package let mediaType: String?
        /// The bytes, decoded where they came in base64.
        package var body: [UInt8]

        /// The body as text; what is not UTF-8 becomes U+FFFD.
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Why a body could not be taken apart.
    package enum Failure: Error, Hashable {
        /// `Content-Type` is not `multipart/form-data` with a boundary of 1 to 70 characters.
        case noBoundary
        /// The body does not follow the grammar, or ends before its last boundary.
        case malformed
        /// More parts than the ceiling.
        case tooManyParts
        /// A part's header fields are longer than the ceiling.
        case headerTooLong
        /// A part that says it is base64 is not.
        case notBase64
    }

    /// The most parts of one body.
    package static let maximumParts = 64
    /// The longest header of one part, in bytes.
    package static let maximumHeaderBytes = 8 * 1024

    /// The parts in the order of the body.
    package var parts: [Part]

    /// The first part of a name.
    package subscript(name: String) -> Part? { parts.first { $0.name == name } }

    /// Whether `contentType` names this kind of body.
    package static func isMultipart(_ contentType: String?) -> Bool {
        contentType.map { HeaderParameters($0).value == "multipart/form-data" } ?? false
    }

    /// Takes `bytes` apart.
    ///
    /// - Parameter contentType: the request's `Content-Type`, which names the boundary
    /// - Throws: ``Failure``
    package init(_ bytes: [UInt8], contentType: String) throws(Failure) {
        let type = HeaderParameters(contentType)
        guard type.value == "multipart/form-data", let boundary = type["boundary"], 1...70 ~= boundary.utf8.count
        else { throw .noBoundary }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var parts: [Part] = []
        // The first boundary may stand at the very start, where no line break precedes it.
        var rest: Range<Int>
        if bytes.starts(with: delimiter.dropFirst(2)) {
            rest = (delimiter.count - 2)..<bytes.count
        } else {
            guard let first = Self.range(of: delimiter, in: bytes, 0..<bytes.count) else { throw .malformed }
            rest = first.upperBound..<bytes.count
        }
        while !bytes[rest].starts(with: Self.lastMark) {
            // White space may follow a boundary (RFC 2046, section 5.1.1).
            while let byte = bytes[rest].first, byte == 0x20 || byte == 0x09 {
                rest = (rest.lowerBound + 1)..<bytes.count
            }
            guard bytes[rest].starts(with: Self.lineBreak) else { throw .malformed }
            guard parts.count < Self.maximumParts else { throw .tooManyParts }
            let start = rest.lowerBound + 2
            guard let end = Self.range(of: delimiter, in: bytes, rest) else { throw .malformed }
            // A part without header and body is one line break, which the delimiter's own took.
            guard start <= end.lowerBound else { throw .malformed }
            if let part = try Self.part(bytes, start..<end.lowerBound) { parts.append(part) }
            rest = end.upperBound..<bytes.count
        }
        self.parts = parts
    }

    private static let lineBreak = Array("\r\n".utf8)
    private static let emptyLine = Array("\r\n\r\n".utf8)
    private static let lastMark = Array("--".utf8)

    /// A part's header and body; nil for a part without a name, which no form has.
    private static func part(_ bytes: [UInt8], _ range: Range<Int>) throws(Failure) -> Part? {
        let headerEnd: Range<Int>
        if bytes[range].starts(with: lineBreak) {
            headerEnd = range.lowerBound..<(range.lowerBound + 2)
        } else if let found = self.range(of: emptyLine, in: bytes, range) {
            headerEnd = found
        } else {
            throw .malformed
        }
        guard headerEnd.lowerBound - range.lowerBound <= maximumHeaderBytes else { throw .headerTooLong }
        let header = String(decoding: bytes[range.lowerBound..<headerEnd.lowerBound], as: UTF8.self)
        guard !header.holdsLongMarkRun else { throw .malformed }
        var fields: [String: String] = [:]
        for line in header.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed }
            fields[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        guard let disposition = fields["content-disposition"].map(HeaderParameters.init),
            disposition.value == "form-data", let name = disposition["name"]
        else { return nil }
        var body = Array(bytes[headerEnd.upperBound..<range.upperBound])
        if fields["content-transfer-encoding"]?.lowercased() == "base64" {
            body.removeAll { $0 == 0x0D || $0 == 0x0A || $0 == 0x20 || $0 == 0x09 }
            guard let decoded = Data(base64Encoded: Data(body)) else { throw .notBase64 }
            body = Array(decoded)
        }
        return Part(
            name: name,
            fileName: disposition["filename"].map(plainFileName),
            mediaType: fields["content-type"],
            body: body
        )
    }

    /// A name without folders: some browsers send the whole path.
    private static func plainFileName(_ name: String) -> String {
        name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    }

    private static func range(of needle: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        bytes.withUnsafeBytes { all -> Range<Int>? in
            guard let base = all.baseAddress, let first = needle.first else { return nil }
            var position = range.lowerBound
            // `memchr` runs over megabytes far faster than a loop would.
            while range.upperBound - position >= needle.count,
                let found = memchr(base + position, Int32(first), range.upperBound - position)
            {
                position = UnsafeRawPointer(found) - base
                guard range.upperBound - position >= needle.count else { return nil }
                if memcmp(found, needle, needle.count) == 0 { return position..<(position + needle.count) }
                position += 1
            }
            return nil
        }
    }
}
