internal import HTTPTypes
package import HeliumCore
package import NIOCore

/// A response to a request for another protocol on the connection.
package struct RawHTTPResponse: Sendable {
    package let head: ResponseHead
    /// The beginning of the body, for error messages; empty if the protocol changes.
    let body: ByteBuffer
}

/// Parses one such response without I/O. Bytes after the response stay in the input.
package struct RawHTTPResponseReader {
    /// The error of a response that violates RFC 9112.
    package struct Malformed: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The maximum number of bytes of a head.
    static let headLimit = 64 << 10
    /// The number of bytes of a body that are kept.
    static let bodyLimit = 4096

    /// Whether any successful status changes the protocol, as for CONNECT, and not only 101.
    private let isTunnel: Bool
    private var head: ResponseHead?
    private var body = ByteBuffer()
    private var framing = Framing.untilEnd
    /// The number of unread bytes of a head that have been searched for its end.
    private var searched = 0
    /// Whether the end of the last chunk has been found, and the number of bytes of the body that have been searched
    /// for it.
    private var lastChunk = (isFound: false, searched: 0)

    private enum Framing {
        case length(Int)
        case chunked
        case untilEnd
    }

    package init(isTunnel: Bool) { self.isTunnel = isTunnel }

    /// Takes the response from `bytes`. Returns `nil` if more bytes are needed.
    package mutating func next(_ bytes: inout ByteBuffer) throws(Malformed) -> RawHTTPResponse? {
        while head == nil {
            guard let head = try readHead(&bytes) else { return nil }
            // 100 Continue and 103 Early Hints are followed by the final response.
            if 100...199 ~= head.status, head.status != 101 { continue }
            if head.status == 101 || (isTunnel && 200...299 ~= head.status) {
                return RawHTTPResponse(head: head, body: body)
            }
            self.head = head
            framing = Self.framing(of: head)
        }
        readBody(&bytes)
        return isBodyComplete ? end() : nil
    }

    /// Returns the response as far as it has arrived, after the connection has ended.
    func end() -> RawHTTPResponse? {
        head.map { RawHTTPResponse(head: $0, body: Self.beginning(of: body, framing)) }
    }
}

// MARK: Head

extension RawHTTPResponseReader {
    private mutating func readHead(_ bytes: inout ByteBuffer) throws(Malformed) -> ResponseHead? {
        let view = bytes.readableBytesView
        guard let end = Self.end(of: Self.headEnd, in: view, searched: &searched) else {
            guard view.count <= Self.headLimit else {
                throw Malformed(description: "the head of the response is too long")
            }
            guard "HTTP/1.".utf8.elementsEqual(view.prefix(7)) || view.count < 7 else {
                throw Malformed(description: "the response is not HTTP")
            }
            return nil
        }
        searched = 0
        let count = end - view.startIndex
        guard count <= Self.headLimit, var lines = bytes.readBytes(length: count) else {
            throw Malformed(description: "the head of the response is too long")
        }
        lines.removeLast(2)
        let line = lines.prefix { $0 != 10 }
        let status = try Self.status(line.dropLast())
        lines.removeFirst(line.count + 1)
        let head = ResponseHead(status: status, section: lines)
        // A line that is not a field is left out of the fields, but is invalid in a handshake.
        guard head.fields.count == lines.count(where: { $0 == 10 }) else {
            throw Malformed(description: "a line in the head of the response is not a field")
        }
        return head
    }

    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let bodyEnd = Array("0\r\n\r\n".utf8)

    /// Searches for a mark, continuing after the bytes that were searched before, because a head may arrive byte by
    /// byte.
    ///
    /// - Parameter searched: The number of bytes that were searched.
    /// - Returns: The index after the mark.
    private static func end(of mark: [UInt8], in view: ByteBufferView, searched: inout Int) -> Int? {
        let start = view.startIndex + max(0, searched - mark.count + 1)
        searched = view.count
        return view[start...].firstRange(of: mark)?.upperBound
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
        if head[.transferEncoding] != nil { return .chunked }
        return head[.contentLength].flatMap { Int($0) }.map { .length(max(0, $0)) } ?? .untilEnd
    }

    private mutating func readBody(_ bytes: inout ByteBuffer) {
        let limit =
            switch framing {
            case .length(let length): min(length, Self.bodyLimit)
            // Chunks are decoded at the end, so the bytes of their framing are read beyond the limit.
            case .chunked: 2 * Self.bodyLimit
            case .untilEnd: Self.bodyLimit
            }
        let room = limit - body.readableBytes
        if var part = bytes.readSlice(length: min(room, bytes.readableBytes)) { body.writeBuffer(&part) }
        guard case .chunked = framing, !lastChunk.isFound else { return }
        lastChunk.isFound =
            Self.end(of: Self.bodyEnd, in: body.readableBytesView, searched: &lastChunk.searched) != nil
    }

    private var isBodyComplete: Bool {
        switch framing {
        case .length(let length): body.readableBytes >= min(length, Self.bodyLimit)
        case .chunked: body.readableBytes >= 2 * Self.bodyLimit || lastChunk.isFound
        case .untilEnd: body.readableBytes >= Self.bodyLimit
        }
    }

    /// Returns the beginning of the body without the sizes of its chunks. It is only used in error messages, so an
    /// invalid chunk just ends it.
    private static func beginning(of body: ByteBuffer, _ framing: Framing) -> ByteBuffer {
        guard case .chunked = framing else {
            return body.getSlice(at: body.readerIndex, length: body.readableBytes) ?? body
        }
        var rest = body
        var text = ByteBuffer()
        while text.readableBytes < bodyLimit, let end = rest.readableBytesView.firstIndex(of: 10) {
            let line = rest.readString(length: end - rest.readerIndex + 1) ?? ""
            guard let size = Int(line.prefix { $0.isHexDigit }, radix: 16), size > 0 else { break }
            guard var chunk = rest.readSlice(length: min(size, rest.readableBytes, bodyLimit - text.readableBytes))
            else {
                break
            }
            text.writeBuffer(&chunk)
            rest.moveReaderIndex(forwardBy: min(2, rest.readableBytes))
        }
        return text
    }
}
