import Foundation
import HTTPTypes
import HeliumCore
import Synchronization

extension FuzzTarget {
    static let multipart = FuzzTarget(
        "multipart",
        examples: [
            "\u{2}\u{5}title\u{0}\u{0}\u{7}Holiday\u{5}photo\u{5}a.png\u{9}image/png\u{4}1234",
            "\u{1}\u{1}n\u{2}f\"\u{0}\u{8}\r\n--heli",
            "\u{3}\u{1}a\u{0}\u{0}\u{0}\u{1}a\u{0}\u{0}\u{0}\u{1}a\u{0}\u{0}\u{0}",
        ],
        pieces: [
            "\r\n", "--", "--helium-", "\r\n--helium-00000000000000070000000000000007--\r\n", "\"", "%22", "\\", ";",
            "é",
            "\0", "\u{1}", "\u{18}", "text/plain",
        ],
        check: MultipartFuzz.form
    )
}

/// Encodes a form that the input describes and takes it apart again with a parser of our own.
package enum MultipartFuzz {
    package static func form(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        var form = MultipartForm()
        var expected: [Part] = []
        for index in 0...Int(rest.popFirst() ?? 0) % 4 {
            let name = text(&rest, 24)
            let fileName = text(&rest, 24)
            let type = text(&rest, 24)
            let content = take(&rest, 96)
            let part = MultipartForm.Part.data(
                Data(content),
                name: name,
                fileName: fileName.isEmpty ? nil : fileName,
                contentType: type.isEmpty ? "application/octet-stream" : type
            )
            // Every second part is read while it is sent.
            let isUpload = index % 2 == 1
            form.append(isUpload ? reading(content, part) : part)
            expected.append(Part(lines: lines(of: part), content: content))
        }
        let pipeline = try FuzzPipeline.make()
        let numbers = RandomSource { 7 }
        let body = RequestContent.multipart(form, random: numbers)
        let builder = RequestBuilder(.post, "/", content: body, reader: PlainReaders.nothing, pipeline: pipeline)
        guard let request = try? builder.transportRequest() else {
            let isSendable = form.parts.allSatisfy { part in
                !part.name.isEmpty && (part.contentType ?? "x").utf8.allSatisfy { 0x20...0x7E ~= $0 }
            }
            guard !isSendable else { throw FuzzFinding("the form \(form.parts) is refused") }
            return
        }
        guard let upload = request.upload, let type = request.fields[.contentType] else {
            throw FuzzFinding("no body, or no media type")
        }
        let sent = try await collect(upload)
        guard upload.length == Int64(sent.count) else {
            throw FuzzFinding("\(sent.count) bytes, announced \(upload.length ?? -1)")
        }
        let boundary = type.split(separator: "=").last.map(String.init) ?? ""
        // The one boundary that these numbers make may stand in a content here; chance does not do that.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        guard !expected.contains(where: { contains(delimiter, in: [13, 10] + $0.content) }) else { return }
        guard try parse(sent, boundary: boundary) == expected else { throw FuzzFinding("\(form.parts) changes") }
    }

    private struct Part: Equatable {
        var lines: [[UInt8]]
        var content: [UInt8]
    }
}

// MARK: Describing a form

extension MultipartFuzz {
    private static func take(_ rest: inout ArraySlice<UInt8>, _ limit: Int) -> [UInt8] {
        let count = min(Int(rest.popFirst() ?? 0) % (limit + 1), rest.count)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    private static func text(_ rest: inout ArraySlice<UInt8>, _ limit: Int) -> String {
        String(decoding: take(&rest, limit), as: UTF8.self)
    }

    private static func reading(_ content: [UInt8], _ part: MultipartForm.Part) -> MultipartForm.Part {
        let body = UploadBody(length: Int64(content.count), isReplayable: true) { Chunks(content) }
        return .upload(body, name: part.name, fileName: part.fileName, contentType: part.contentType)
    }

    /// The header lines that a part must have.
    private static func lines(of part: MultipartForm.Part) -> [[UInt8]] {
        var disposition = Array("Content-Disposition: form-data; name=\"".utf8) + escaped(part.name) + [34]
        if let fileName = part.fileName { disposition += Array("; filename=\"".utf8) + escaped(fileName) + [34] }
        return [disposition, Array("Content-Type: \(part.contentType ?? "")".utf8)]
    }

    private static func escaped(_ name: String) -> [UInt8] {
        name.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 34: Array("%22".utf8)
            case 13: Array("%0D".utf8)
            case 10: Array("%0A".utf8)
            default: [byte]
            }
        }
    }
}

// MARK: Taking it apart

extension MultipartFuzz {
    private static func collect(_ body: UploadBody) async throws -> [UInt8] {
        let source = try await body.open()
        defer { source.cancel() }
        var bytes: [UInt8] = []
        while let chunk = try await source.next() { bytes += chunk }
        return bytes
    }

    private static func contains(_ needle: [UInt8], in bytes: [UInt8]) -> Bool {
        position(of: needle, in: bytes[...]) != nil
    }

    private static func position(of needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - needle.count)).first { bytes[$0...].starts(with: needle) }
    }

    /// RFC 2046 section 5.1, and nothing that it does not allow.
    private static func parse(_ bytes: [UInt8], boundary: String) throws -> [Part] {
        var rest = bytes[...]
        func skip(_ text: String) throws {
            guard rest.starts(with: text.utf8) else { throw FuzzFinding("no \(text.debugDescription) in \(bytes)") }
            rest = rest.dropFirst(text.utf8.count)
        }
        func upTo(_ text: String) throws -> [UInt8] {
            guard let end = position(of: Array(text.utf8), in: rest) else {
                throw FuzzFinding("no \(text.debugDescription) in \(bytes)")
            }
            defer { rest = rest[(end + text.utf8.count)...] }
            return Array(rest[..<end])
        }
        var parts: [Part] = []
        try skip("--\(boundary)")
        while !rest.starts(with: "--".utf8) {
            try skip("\r\n")
            var part = Part(lines: [], content: [])
            while true {
                let line = try upTo("\r\n")
                if line.isEmpty { break }
                part.lines.append(line)
            }
            part.content = try upTo("\r\n--\(boundary)")
            parts.append(part)
        }
        guard Array(rest) == Array("--\r\n".utf8) else { throw FuzzFinding("\(rest) after the end") }
        return parts
    }
}

/// Bytes, a few at a time.
private final class Chunks: UploadSource {
    private let rest: Guarded<[UInt8]>

    init(_ bytes: [UInt8]) { rest = Guarded(bytes) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            defer { rest.removeFirst(min(5, rest.count)) }
            return Data(rest.prefix(5))
        }
    }

    func cancel() {}
}
