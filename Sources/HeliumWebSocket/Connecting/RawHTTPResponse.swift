internal import HTTPTypes
package import HeliumCore

/// A response to a request for another protocol on the connection.
package struct RawHTTPResponse: Sendable {
    package let head: ResponseHead
    /// The beginning of the body, for error messages; empty if the protocol changes.
    let body: [UInt8]
}

/// Parses one such response without I/O. Bytes after the response are not consumed.
package struct RawHTTPResponseReader {
    /// The error of a response that violates RFC 9112.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The maximum number of bytes of all heads if nothing else is chosen.
    package static let defaultHeadLimit = 64 << 10
    /// The number of bytes of a body that are kept if nothing else is chosen.
    package static let defaultBodyLimit = 4096

    /// The number of bytes of a body that are kept.
    private let bodyLimit: Int
    /// The number of bytes of heads that may still arrive. Interim responses count too.
    private var headBytesLeft: Int
    /// The part of a head that has arrived.
    private var lines: [UInt8] = []
    private var headEnd = MarkSearch.headEnd
    /// The final response's head, once it has arrived; `nil` for a change of the protocol.
    private(set) var head: ResponseHead?
    private var body: [UInt8] = []
    private var framing = Framing.untilEnd
    /// The end of the last chunk.
    private var bodyEnd = MarkSearch.bodyEnd

    private enum Framing {
        case length(Int)
        case chunked
        case untilEnd
    }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - headLimit: The maximum number of bytes of the heads of the response and of the interim responses before it.
    ///   - bodyLimit: The number of bytes of a body that are kept.
    package init(headLimit: Int = defaultHeadLimit, bodyLimit: Int = defaultBodyLimit) {
        headBytesLeft = headLimit
        self.bodyLimit = bodyLimit
    }

    /// Takes the response from `bytes`. Returns `nil` and takes all bytes if more are needed.
    ///
    /// - Parameter consumed: The number of bytes at the beginning of `bytes` that have been consumed. The reader begins
    ///   after them, and adds the number of bytes that it takes.
    package mutating func next(_ bytes: RawSpan, consumed: inout Int) throws(Malformed) -> RawHTTPResponse? {
        while head == nil {
            guard let head = try readHead(bytes, &consumed) else { return nil }
            // 100 Continue and 103 Early Hints are followed by the final response.
            if 100...199 ~= head.status, head.status != 101 { continue }
            if head.status == 101 { return RawHTTPResponse(head: head, body: body) }
            self.head = head
            framing = Self.framing(of: head)
        }
        readBody(bytes, &consumed)
        return isBodyComplete ? end() : nil
    }

    /// Returns the response as far as it has arrived, after the connection has ended.
    func end() -> RawHTTPResponse? {
        head.map { RawHTTPResponse(head: $0, body: beginning(of: body)) }
    }
}

// MARK: Head

extension RawHTTPResponseReader {
    private mutating func readHead(_ bytes: RawSpan, _ consumed: inout Int) throws(Malformed) -> ResponseHead? {
        let rest = bytes.extracting(consumed...)
        let end = rest.withUnsafeBytes { headEnd.end(in: $0) }
        let part = rest.extracting(..<(end ?? rest.byteCount))
        guard part.byteCount <= headBytesLeft else {
            throw Malformed(description: "the head of the response is too long")
        }
        headBytesLeft -= part.byteCount
        part.withUnsafeBytes { lines.append(contentsOf: $0) }
        consumed += part.byteCount
        guard end != nil else {
            guard "HTTP/1.".utf8.elementsEqual(lines.prefix(7)) || lines.count < 7 else {
                throw Malformed(description: "the response is not HTTP")
            }
            return nil
        }
        defer {
            lines = []
            headEnd = MarkSearch.headEnd
        }
        return try Self.head(lines.dropLast(2))
    }

    private static func head(_ section: ArraySlice<UInt8>) throws(Malformed) -> ResponseHead {
        let line = section.prefix { $0 != 10 }
        let status = try status(line.dropLast())
        let lines = section.dropFirst(line.count + 1)
        let head = ResponseHead(status: status, section: Array(lines))
        // A line that is not a field is left out of the fields, but is invalid in a handshake.
        guard head.fields.count == lines.count(where: { $0 == 10 }) else {
            throw Malformed(description: "a line in the head of the response is not a field")
        }
        return head
    }

    /// Returns the status number of `HTTP/1.1 101 Switching Protocols`. One space separates its words (RFC 9112 §4).
    private static func status(_ line: ArraySlice<UInt8>) throws(Malformed) -> Int {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count >= 2, words[0].isASCII, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0",
            words[1].utf8.count == 3,
            words[1].utf8.allSatisfy({ 48...57 ~= $0 }), let status = Int(words[1]), status >= 100
        else { throw Malformed(description: "the response is not HTTP") }
        return status
    }
}

// MARK: Body

extension RawHTTPResponseReader {
    private static func framing(of head: ResponseHead) -> Framing {
        // Responses with these statuses have no body, whatever their fields are (RFC 9112 §6.3).
        if head.status == 204 || head.status == 304 { return .length(0) }
        if head[.transferEncoding] != nil { return .chunked }
        return head[.contentLength].flatMap { Int($0) }.map { .length(max(0, $0)) } ?? .untilEnd
    }

    private mutating func readBody(_ bytes: RawSpan, _ consumed: inout Int) {
        let limit =
            switch framing {
            case .length(let length): min(length, bodyLimit)
            // Chunks are decoded at the end, so the bytes of their framing are read beyond the limit.
            case .chunked: 2 * bodyLimit
            case .untilEnd: bodyLimit
            }
        let end = consumed + min(limit - body.count, bytes.byteCount - consumed)
        bytes.extracting(consumed..<end).withUnsafeBytes { part in
            body.append(contentsOf: part)
            if case .chunked = framing, !bodyEnd.isFound { _ = bodyEnd.end(in: part) }
        }
        consumed = end
    }

    private var isBodyComplete: Bool {
        switch framing {
        case .length(let length): body.count >= min(length, bodyLimit)
        case .chunked: body.count >= 2 * bodyLimit || bodyEnd.isFound
        case .untilEnd: body.count >= bodyLimit
        }
    }

    /// Returns the beginning of the body without the sizes of its chunks. It is only used in error messages, so an
    /// invalid chunk just ends it.
    private func beginning(of body: [UInt8]) -> [UInt8] {
        guard case .chunked = framing else { return body }
        var rest = body[...]
        var text: [UInt8] = []
        while text.count < bodyLimit, let end = rest.firstIndex(of: 10) {
            let line = String(decoding: rest[...end], as: UTF8.self)
            guard let size = Int(line.prefix { $0.isHexDigit }, radix: 16), size > 0 else { break }
            rest = rest[(end + 1)...]
            let chunk = rest.prefix(min(size, bodyLimit - text.count))
            text += chunk
            rest = rest.dropFirst(chunk.count + 2)
        }
        return text
    }
}

/// Searches for the end of a head or of a body in bytes that arrive in parts.
private struct MarkSearch {
    static let headEnd = Self("\r\n\r\n")
    static let bodyEnd = Self("0\r\n\r\n")

    private let mark: [UInt8]
    /// The number of bytes of the mark that have been found.
    private var matched = 0

    private init(_ mark: String) { self.mark = Array(mark.utf8) }

    /// Whether the whole mark was found.
    var isFound: Bool { matched == mark.count }

    /// Returns the number of bytes up to the end of the mark; `nil` if it does not end in `bytes`.
    mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        for (index, byte) in bytes.enumerated() {
            if byte == mark[matched] {
                matched += 1
                if isFound { return index + 1 }
            } else {
                // A mark that begins before this byte would include it, and these two marks then differ at it too.
                matched = byte == mark[0] ? 1 : 0
            }
        }
        return nil
    }
}
