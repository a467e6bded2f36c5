internal import Foundation

/// A parsed body of `multipart/form-data` (RFC 7578).
package struct MultipartBody: Sendable {
    /// One field or file of a form.
    package struct Part: Hashable, Sendable {
        /// The name of the field.
        package let name: String
        /// The file name from the client, without folders; `nil` for a plain field.
        package let fileName: String?
        /// The part's own `Content-Type`; `nil` if it does not have one.
        package let mediaType: String?
        /// The bytes, decoded if they were sent in Base64.
        package var body: [UInt8]

        /// The body as text. Bytes that are not UTF-8 become U+FFFD.
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The error thrown when a body cannot be parsed.
    package enum Failure: Error, Hashable {
        /// `Content-Type` is not `multipart/form-data` with a boundary of 1 to 70 characters.
        case noBoundary
        /// The body does not follow the grammar, or ends before its last boundary.
        case malformed
        /// The body has more parts than the limit.
        case tooManyParts
        /// The header fields of a part are longer than the limit.
        case headerTooLong
        /// A part that is declared as Base64 is not valid Base64.
        case notBase64
    }

    /// The maximum number of parts of a body.
    package static let maximumParts = 64
    /// The maximum size of a part's header in bytes.
    package static let maximumHeaderBytes = 8 * 1024

    /// The parts in the order of the body.
    package var parts: [Part]

    /// Returns the first part with a name.
    package subscript(name: String) -> Part? { parts.first { $0.name == name } }

    /// Returns whether `contentType` is `multipart/form-data`.
    package static func isMultipart(_ contentType: String?) -> Bool {
        contentType.map { HeaderParameters($0).value == "multipart/form-data" } ?? false
    }

    /// Parses `bytes`.
    ///
    /// - Parameter contentType: The `Content-Type` of the request, which contains the boundary.
    /// - Throws: ``Failure`` if the body is invalid or exceeds a limit.
    package init(_ bytes: [UInt8], contentType: String) throws(Failure) {
        let type = HeaderParameters(contentType)
        guard type.value == "multipart/form-data", let boundary = type["boundary"], 1...70 ~= boundary.utf8.count
        else { throw .noBoundary }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var parts: [Part] = []
        // The first boundary may be at the start of the body, without a preceding line break.
        var rest: Range<Int>
        if bytes.starts(with: delimiter.dropFirst(2)) {
            rest = (delimiter.count - 2)..<bytes.count
        } else {
            guard let first = Self.range(of: delimiter, in: bytes, 0..<bytes.count) else { throw .malformed }
            rest = first.upperBound..<bytes.count
        }
        while !bytes[rest].starts(with: Self.lastMark) {
            // White space may follow a boundary (RFC 2046 §5.1.1).
            while let byte = bytes[rest].first, byte == 0x20 || byte == 0x09 {
                rest = (rest.lowerBound + 1)..<bytes.count
            }
            guard bytes[rest].starts(with: Self.lineBreak) else { throw .malformed }
            guard parts.count < Self.maximumParts else { throw .tooManyParts }
            let start = rest.lowerBound + 2
            guard let end = Self.range(of: delimiter, in: bytes, rest) else { throw .malformed }
            // A part without header and body consists of one line break, which is already part of the delimiter.
            guard start <= end.lowerBound else { throw .malformed }
            if let part = try Self.part(bytes, start..<end.lowerBound) { parts.append(part) }
            rest = end.upperBound..<bytes.count
        }
        self.parts = parts
    }

    private static let lineBreak = Array("\r\n".utf8)
    private static let emptyLine = Array("\r\n\r\n".utf8)
    private static let lastMark = Array("--".utf8)

    /// Returns the header and body of a part; `nil` for a part without a name, which is not part of a form.
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
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
            fields[line[..<colon].lowercased()] =
                line[line.utf8.index(after: colon)...].trimmingCharacters(in: .whitespaces)
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

    /// Removes folders from a file name, because some browsers send the full path.
    private static func plainFileName(_ name: String) -> String {
        name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    }

    private static func range(of needle: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        bytes.withUnsafeBytes { all -> Range<Int>? in
            guard let base = all.baseAddress, let first = needle.first else { return nil }
            var position = range.lowerBound
            // `memchr` is much faster than a loop for megabytes of data.
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
