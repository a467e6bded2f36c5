import Foundation

/// Takes a form apart by RFC 2046 section 5.1 and RFC 7578, and accepts nothing that they don't.
struct MultipartParser {
    struct Part: Equatable {
        var header: [String]
        var body: Data
    }

    struct Malformed: Error { let reason: String }

    let boundary: String

    init(contentType: String) throws {
        let prefix = "multipart/form-data; boundary="
        guard contentType.hasPrefix(prefix) else { throw Malformed(reason: "media type \(contentType)") }
        boundary = String(contentType.dropFirst(prefix.count))
        guard 1...70 ~= boundary.utf8.count, boundary.utf8.allSatisfy({ Self.isPlain($0) }) else {
            throw Malformed(reason: "boundary \(boundary)")
        }
    }

    func parts(of body: Data) throws -> [Part] {
        var rest = body[...]
        try take("--\(boundary)\r\n", from: &rest)
        var parts: [Part] = []
        let delimiter = Data("\r\n--\(boundary)".utf8)
        while true {
            var header: [String] = []
            while true {
                guard let end = rest.range(of: Data("\r\n".utf8)) else { throw Malformed(reason: "endless header") }
                let line = String(decoding: rest[rest.startIndex..<end.lowerBound], as: UTF8.self)
                rest = rest[end.upperBound...]
                if line.isEmpty { break }
                guard line.contains(": ") else { throw Malformed(reason: "line \(line)") }
                header.append(line)
            }
            guard let end = rest.range(of: delimiter) else { throw Malformed(reason: "no delimiter") }
            parts.append(Part(header: header, body: Data(rest[rest.startIndex..<end.lowerBound])))
            rest = rest[end.upperBound...]
            if rest.starts(with: "--".utf8) {
                try take("--\r\n", from: &rest)
                guard rest.isEmpty else { throw Malformed(reason: "\(rest.count) bytes after the end") }
                return parts
            }
            try take("\r\n", from: &rest)
        }
    }

    private func take(_ text: String, from rest: inout Data.SubSequence) throws {
        guard rest.starts(with: text.utf8) else { throw Malformed(reason: "no \(text)") }
        rest = rest.dropFirst(text.utf8.count)
    }

    /// The characters of a boundary that need no quotes in the media type.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x2D
    }
}
