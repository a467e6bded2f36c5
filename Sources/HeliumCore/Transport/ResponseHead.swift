public import HTTPTypes
internal import HeliumEssentials

/// The status and the header fields of a response.
///
/// The header section is kept as the bytes that arrived. A field is converted to a `String` when it is looked up, and
/// all fields when ``fields`` is read. Most callers read none.
public struct ResponseHead: Sendable {
    /// The status code, for example 200.
    public let status: Int

    /// The HTTP version of the response, such as `HTTP/1.1` or `HTTP/2`.
    public let version: Version

    /// The header section: lines of `name: value`, each ended by a line feed with or without a carriage return.
    package let section: [UInt8]

    /// The secrets of the client that sent the request, which a server may repeat. They are masked in the description.
    package var secrets: (@Sendable () -> [String])?

    /// Creates a head from the bytes of a header section, without the status line.
    package init(status: Int, version: Version = .http1_1, section: [UInt8]) {
        self.status = status
        self.version = version
        self.section = section
    }

    /// Creates a head from fields, for transports that parse them, and for tests.
    public init(status: Int, version: Version = .http1_1, fields: HTTPFields) {
        var section: [UInt8] = []
        for field in fields {
            section.append(contentsOf: field.name.rawName.utf8)
            section.append(contentsOf: ": ".utf8)
            field.withUnsafeBytesOfValue { section.append(contentsOf: $0) }
            section.append(contentsOf: "\r\n".utf8)
        }
        self.init(status: status, version: version, section: section)
    }
}

extension ResponseHead {
    /// The HTTP version of a response.
    public struct Version: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// `1.0`, `1.1`, `2`, `3`.
        public let rawValue: String

        /// Creates a version from its number.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// HTTP/1.0.
        public static let http1_0 = Self(rawValue: "1.0")
        /// HTTP/1.1.
        public static let http1_1 = Self(rawValue: "1.1")
        /// HTTP/2.
        public static let http2 = Self(rawValue: "2")

        /// The version as text, such as `HTTP/1.1`.
        public var description: String { "HTTP/\(rawValue)" }
    }

    /// The value of the first field of this name; `nil` if there is none. Letter case is ignored.
    public subscript(name: HTTPField.Name) -> String? {
        var canonical = name.canonicalName
        return section.withUnsafeBytes { bytes in
            canonical.withUTF8 { name in
                // Compares names at the start of each line, and splits only the matching line.
                var start = 0
                while start < bytes.count {
                    let end = HeaderLines.endOfLine(bytes, from: start)
                    if end - start > name.count, bytes[start + name.count] == UInt8(ascii: ":"),
                        HeaderLines.isEqual(bytes, at: start, to: name)
                    {
                        let value = HeaderLines.trim(bytes[(start + name.count + 1)..<end])
                        return String(decoding: UnsafeRawBufferPointer(rebasing: value), as: UTF8.self)
                    }
                    start = end + 1
                }
                return nil
            }
        }
    }

    /// All fields in order of arrival. A line that is not a valid field (RFC 9110 §5) is left out.
    public var fields: HTTPFields {
        section.withUnsafeBytes { bytes in
            var fields = HTTPFields()
            for line in HeaderLines(bytes) where fields.count < Int(UInt16.max) - 1 {
                guard let name = HTTPField.Name(String(decoding: line.name, as: UTF8.self)) else { continue }
                fields.append(HTTPField(name: name, lenientValue: line.value))
            }
            return fields
        }
    }
}

/// The lines of a header section that contain a colon.
private struct HeaderLines: Sequence, IteratorProtocol {
    struct Line {
        let name: Slice<UnsafeRawBufferPointer>
        let value: Slice<UnsafeRawBufferPointer>
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() -> Line? {
        while position < bytes.count {
            let end = HeaderLines.endOfLine(bytes, from: position)
            let line = bytes[position..<end]
            position = end + 1
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { continue }
            return Line(name: line[..<colon], value: HeaderLines.trim(line[(colon + 1)...]))
        }
        return nil
    }

    /// Returns the index of the line feed that ends the line, or the end of the bytes.
    static func endOfLine(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = bytes.baseAddress, let feed = memchr(base + start, 10, bytes.count - start) else {
            return bytes.count
        }
        return UnsafeRawPointer(feed) - base
    }

    /// Returns whether `name`, which must be in lower case, occurs at `start`. There must be as many bytes.
    static func isEqual(_ bytes: UnsafeRawBufferPointer, at start: Int, to name: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<name.count {
            let byte = bytes[start &+ index]
            if (byte &- 65 < 26 ? byte | 32 : byte) != name[index] { return false }
        }
        return true
    }

    static func trim(_ value: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var value = value
        while let first = value.first, first == 32 || first == 9 { value = value.dropFirst() }
        while let last = value.last, last == 32 || last == 9 || last == 13 { value = value.dropLast() }
        return value
    }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The version, status and fields on one line. Credentials, the values of queries in URLs, and the client's own
    /// secrets are masked. Control characters are escaped.
    public var description: String {
        let redactor = Redactor(secrets: secrets?() ?? [])
        let fields = fields.map { ShownField.line($0, redactor) }
        return "\(version) \(status) [\(fields.joined(separator: ", "))]"
    }

    /// The parts that the description shows.
    public var customMirror: Mirror { Mirror(self, children: ["head": description]) }
}
