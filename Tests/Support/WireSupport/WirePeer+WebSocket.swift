import Foundation

/// A frame as a client sent it, unmasked.
package struct WireFrame: Equatable, Sendable {
    package let opcode: UInt8
    package let isFinal: Bool
    package let isMasked: Bool
    package let payload: [UInt8]

    package var text: String { String(decoding: payload, as: UTF8.self) }
}

/// The server's side of RFC 6455, written for tests apart from the client's.
extension WirePeer {
    /// Reads a request's head.
    package func readHead() async throws -> String { try await read(until: "\r\n\r\n") }

    /// Reads an upgrade request and accepts it.
    ///
    /// - Parameters:
    ///   - fields: More lines of the answer, each with its line end.
    ///   - bytes: What is sent with the answer in one piece.
    /// - Returns: The request's head.
    @discardableResult
    package func upgrade(fields: String = "", with bytes: [UInt8] = []) async throws -> String {
        let head = try await readHead()
        let key = Self.field("Sec-WebSocket-Key", in: head) ?? ""
        let answer =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(Self.accept(key))\r\n\(fields)\r\n"
        try await write(Array(answer.utf8) + bytes)
        return head
    }

    /// The value of a field in a head.
    package static func field(_ name: String, in head: String) -> String? {
        head.split(separator: "\r\n").dropFirst().lazy
            .map { $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) } }
            .first { $0.count == 2 && $0[0].lowercased() == name.lowercased() }?[1]
    }

    /// Returns the value that proves that a server has read a key (RFC 6455 section 4.2.2).
    package static func accept(_ key: String) -> String {
        Data(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    /// A frame's bytes as a server sends it, not masked.
    package static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        let first = (isFinal ? 0x80 : 0) | opcode
        let count = payload.count
        switch count {
        case 0...125: return [first, UInt8(count)] + payload
        case 126...65_535: return [first, 126, UInt8(count >> 8), UInt8(count & 255)] + payload
        default: return [first, 127] + (0..<8).map { UInt8(count >> (56 - $0 * 8) & 255) } + payload
        }
    }

    /// Sends a text message in one frame.
    package func send(text: String) async throws { try await write(Self.frame(1, Array(text.utf8))) }

    /// Sends a close frame.
    package func sendClose(_ code: UInt16, reason: String = "") async throws {
        try await write(Self.frame(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8)))
    }

    /// Reads the next frame and forgets its payload.
    ///
    /// - Returns: Its opcode.
    package func skipFrame() async throws -> UInt8 {
        let (head, count) = try await readFrameHead()
        _ = try await read(count + (head[1] & 0x80 != 0 ? 4 : 0))
        return head[0] & 0x0F
    }

    /// Reads the next frame.
    package func readFrame() async throws -> WireFrame {
        let (head, count) = try await readFrameHead()
        let isMasked = head[1] & 0x80 != 0
        let key = isMasked ? try await read(4) : [0, 0, 0, 0]
        let payload = try await read(count)
        return WireFrame(
            opcode: head[0] & 0x0F,
            isFinal: head[0] & 0x80 != 0,
            isMasked: isMasked,
            payload: payload.enumerated().map { $1 ^ key[$0 % 4] }
        )
    }

    private func readFrameHead() async throws -> (bytes: [UInt8], count: Int) {
        let head = try await read(2)
        let short = Int(head[1] & 0x7F)
        guard short > 125 else { return (head, short) }
        let count = try await read(short == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        return (head, count)
    }

    /// Reads the client's close frame and responds to it.
    package func answerClose() async throws {
        while true {
            let frame = try await readFrame()
            guard frame.opcode == 8 else { continue }
            try await write(Self.frame(8, Array(frame.payload.prefix(2))))
            return
        }
    }
}

/// SHA-1 (FIPS 180-4): RFC 6455 asks for it, and nothing else here does.
enum SHA1 {
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - $0 * 8)) }
        for start in stride(from: 0, to: padded.count, by: 64) {
            var words = stride(from: start, to: start + 64, by: 4).map { index in
                padded[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                words.append(
                    rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
                )
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for index in 0..<80 {
                let (mix, constant): (UInt32, UInt32) =
                    switch index {
                    case 0..<20: ((b & c) | (~b & d), 0x5A82_7999)
                    case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case 40..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                let next = rotate(a, by: 5) &+ mix &+ e &+ constant &+ words[index]
                (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
            }
            for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - $0 * 8)) } }
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
