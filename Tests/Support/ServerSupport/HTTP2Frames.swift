/// Just enough of HTTP/2 (RFC 9113) to ask for one document and to read it: no Huffman coding, no flow control beyond
/// the first window.
package enum HTTP2Frames {
    package struct Frame: Sendable {
        package let type: UInt8
        package let flags: UInt8
        package let stream: UInt32
        package let payload: [UInt8]
    }

    package static let data: UInt8 = 0
    package static let headers: UInt8 = 1
    package static let reset: UInt8 = 3
    package static let settings: UInt8 = 4

    /// The connection preface and a request without a body for each target, on the streams 1, 3, 5 …
    package static func requests(
        _ method: String,
        _ targets: [String],
        scheme: String,
        authority: String,
        fields: [(String, String)] = []
    ) -> [UInt8] {
        var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(settings, 0, 0, [])
        for (index, target) in targets.enumerated() {
            let stream = UInt32(2 * index + 1)
            bytes += request(method, target, stream: stream, scheme: scheme, authority: authority, fields: fields)
        }
        return bytes
    }

    /// A request without a body on a connection whose preface was sent.
    package static func request(
        _ method: String,
        _ target: String,
        stream: UInt32,
        scheme: String,
        authority: String,
        fields: [(String, String)] = []
    ) -> [UInt8] {
        let pseudo = [(":method", method), (":scheme", scheme), (":authority", authority), (":path", target)]
        // END_STREAM and END_HEADERS.
        return frame(headers, 0x5, stream, (pseudo + fields).flatMap(literal))
    }

    /// Enlarges the window of a stream; of the connection for stream 0.
    package static func windowUpdate(_ stream: UInt32, by increment: UInt32) -> [UInt8] {
        frame(8, 0, stream, (0..<4).map { UInt8(increment >> (24 - 8 * UInt32($0)) & 255) })
    }

    /// The whole frames at the beginning of `bytes`.
    package static func parse(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            let payload = Array(rest.dropFirst(9).prefix(length))
            frames.append(Frame(type: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }

    /// Whether the answers on all of these streams are complete.
    package static func areComplete(_ streams: [UInt32], in bytes: [UInt8]) -> Bool {
        let ended = parse(bytes).filter { ($0.type == data || $0.type == headers) && $0.flags & 1 == 1 }.map(\.stream)
        return Set(streams).isSubset(of: ended)
    }

    /// The body of the answer on `stream`, and whether its status is 200 (entry 8 of HPACK's static table).
    package static func answer(_ stream: UInt32, in bytes: [UInt8]) -> (isOK: Bool, body: String) {
        let frames = parse(bytes).filter { $0.stream == stream }
        let head = frames.first { $0.type == headers }?.payload ?? []
        let body = frames.filter { $0.type == data }.flatMap(\.payload)
        return (head.contains(0x88), String(decoding: body, as: UTF8.self))
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
            + (0..<4).map { UInt8(stream >> (24 - 8 * UInt32($0)) & 255) } + payload
    }

    /// A literal field without indexing, name and value as they are (RFC 7541, section 6.2.2).
    private static func literal(_ name: String, _ value: String) -> [UInt8] {
        [0] + string(name) + string(value)
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var rest = bytes.count - 127
        var length: [UInt8] = [127]
        while rest >= 128 {
            length.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return length + [UInt8(rest)] + bytes
    }
}
