public import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumFiles

extension HAR {
    /// The error thrown when a file is not a usable archive.
    public struct Malformed: Error, Hashable, CustomStringConvertible {
        /// The path of the invalid value, for example `log.entries[3].request.url`; empty for the file as a whole.
        public let location: String

        /// The error message, as one sentence.
        public let reason: String

        /// The location and the reason.
        public var description: String { location.isEmpty ? "HAR: \(reason)" : "HAR, \(location): \(reason)" }
    }

    /// The default maximum size in bytes of a file that is read: 64 MiB.
    public static let defaultByteLimit = 64 << 20

    /// Reads an archive and checks every value that a replay needs.
    ///
    /// - Throws: ``Malformed`` if the data is not JSON, a member is missing or has another type, the version is not
    ///   1.2, or a method, URL, status, field name or body is invalid. ``Malformed`` also if the data is longer than
    ///   `limit`.
    public init(_ data: Data, upTo limit: Int = HAR.defaultByteLimit) throws(Malformed) {
        guard data.count <= limit else { throw Malformed(location: "", reason: "it has more than \(limit) bytes") }
        do {
            self = try JSONDecoder().decode(HAR.self, from: data)
        } catch {
            throw Malformed(error)
        }
        try validate()
    }

    /// Reads an archive from a file; see ``init(_:upTo:)``.
    ///
    /// - Throws: ``Malformed``, also if the file cannot be read.
    public init(contentsOf url: URL, upTo limit: Int = HAR.defaultByteLimit) throws(Malformed) {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            data = try file.read(upToCount: limit < .max ? max(limit, 0) + 1 : limit) ?? Data()
        } catch {
            throw Malformed(location: "", reason: "the file \(url.lastPathComponent) can't be read")
        }
        try self.init(data, upTo: limit)
    }

    /// Checks every value that a replay needs. Throws ``Malformed`` for the first invalid value.
    public func validate() throws(Malformed) {
        guard version.hasSameBytes(as: "1.2") else { throw Malformed(location: "log.version", reason: "it is not 1.2") }
        for (index, entry) in entries.enumerated() { try entry.validate(at: "log.entries[\(index)]") }
    }

    /// Returns the archive as the bytes of a file. It is indented and its members are sorted, so that changes can be
    /// compared line by line.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Writes the archive to a file atomically. A file that is replaced keeps its owner and permission bits, and
    /// symbolic links are followed. A pipe or device is written directly.
    ///
    /// - Throws: `CocoaError` if the file cannot be written, `EncodingError`.
    public func write(to url: URL) throws {
        let bytes = try encoded()
        do {
            let target = try FileTarget(url.path)
            guard target.isReplaced, url.isFileURL else { return try bytes.write(to: url) }
            try target.replace(with: bytes)
        } catch let error as SystemError {
            let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(error.code))
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: cause])
        }
    }
}

extension HAR.Malformed {
    init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            self.init(location: "", reason: "it can't be decoded")
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(location: Self.path(context.codingPath + [key]), reason: "the member is missing")
        case .typeMismatch(let type, let context):
            self.init(location: Self.path(context.codingPath), reason: "it is not of type \(type)")
        case .valueNotFound(let type, let context):
            self.init(location: Self.path(context.codingPath), reason: "it is null, expected \(type)")
        case .dataCorrupted(let context):
            self.init(location: Self.path(context.codingPath), reason: "it is not valid JSON")
        @unknown default:
            self.init(location: "", reason: "it can't be decoded")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}

// MARK: Checks

extension HAR.Entry {
    fileprivate func validate(at place: String) throws(HAR.Malformed) {
        guard time.isFinite else { throw HAR.Malformed(location: "\(place).time", reason: "it is not a finite number") }
        guard RFC3339.date(from: startedDateTime) != nil else {
            throw HAR.Malformed(location: "\(place).startedDateTime", reason: "it is not an ISO 8601 date")
        }
        try request.validate(at: "\(place).request")
        try response.validate(at: "\(place).response")
    }
}

extension HAR.Request {
    fileprivate func validate(at place: String) throws(HAR.Malformed) {
        guard HTTPRequest.Method(rawValue: method) != nil else {
            throw HAR.Malformed(location: "\(place).method", reason: "it is not a valid method")
        }
        do throws(InvalidURL) {
            _ = try RequestURL(url)
        } catch {
            throw HAR.Malformed(location: "\(place).url", reason: error.description)
        }
        try HAR.validate(headers, at: place)
        if let postData, postData.text != nil, postData.data == nil {
            throw HAR.Malformed(location: "\(place).postData.text", reason: "it can't be decoded with its encoding")
        }
    }
}

extension HAR.Response {
    fileprivate func validate(at place: String) throws(HAR.Malformed) {
        guard status == 0 || 100...999 ~= status else {
            throw HAR.Malformed(location: "\(place).status", reason: "it is not a valid status")
        }
        try HAR.validate(headers, at: place)
        guard content.data != nil else {
            throw HAR.Malformed(location: "\(place).content.text", reason: "it can't be decoded with its encoding")
        }
    }
}

extension HAR {
    /// Checks field names and values. Pseudo-fields of HTTP/2 (`:path`) are allowed, because browsers write them too.
    fileprivate static func validate(_ fields: [Field], at place: String) throws(Malformed) {
        for (index, field) in fields.enumerated() {
            let name =
                field.name.utf8.first == UInt8(ascii: ":") ? String(field.name.unicodeScalars.dropFirst()) : field.name
            guard name.isASCII, HTTPField.Name(name) != nil else {
                throw Malformed(location: "\(place).headers[\(index)].name", reason: "it is not a valid field name")
            }
            guard field.value.utf8.allSatisfy({ $0 != 0 && $0 != 10 && $0 != 13 }) else {
                throw Malformed(
                    location: "\(place).headers[\(index)].value",
                    reason: "it has a line break or a zero byte"
                )
            }
        }
    }
}
