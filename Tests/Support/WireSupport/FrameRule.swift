/// Frames that one side of a WebSocket sends, and what the other must make of them, whichever side it is: after the cases
/// of the Autobahn test suite (RFC 6455 §5, §7.4, §8.1).
package struct FrameRule: Sendable {
    /// The bytes of a frame; its length may be another than that of the payload, and its form one that is not allowed.
    package struct Frame: Sendable {
        package enum Length: Sendable {
            case shortest
            case one(UInt8)
            case two(UInt16)
            case eight(UInt64)
        }

        let first: UInt8
        var payload: [UInt8] = []
        var length = Length.shortest
        /// Whether it is masked where it must not be, or the other way round.
        var hasWrongMask = false
    }

    package let name: String
    package let frames: [Frame]
    /// The results of a reader, in order: `text:…`, `binary:COUNT`, `ping:COUNT`, `pong`, `close:CODE:REASON`, and at
    /// the end `fault:CODE` if a rule is violated.
    package let expected: [String]

    init(_ name: String, _ frames: Frame..., expecting expected: String...) {
        self.name = name
        self.frames = frames
        self.expected = expected
    }

    /// The most bytes of a message in these cases.
    package static let limit = 65_536

    /// The code of the close frame that the other side answers with; 1005 for a close frame without a code, `nil` where the
    /// connection stays open.
    ///
    /// - Parameter refusesBinary: Whether binary messages end the connection with 1003.
    package func closeCode(refusesBinary: Bool) -> UInt16? {
        for event in expected {
            let words = event.split(separator: ":")
            switch words[0] {
            case "binary" where refusesBinary: return 1003
            case "fault", "close": return UInt16(words[1])
            default: continue
            }
        }
        return nil
    }

    /// The frames on the wire.
    ///
    /// - Parameter isMasked: As a client sends them.
    package func bytes(isMasked: Bool) -> [UInt8] { frames.flatMap { $0.bytes(isMasked: isMasked) } }
}

extension FrameRule.Frame {
    package func bytes(isMasked: Bool) -> [UInt8] {
        let isMasked = isMasked != hasWrongMask
        let mask: UInt8 = isMasked ? 0x80 : 0
        var bytes = [first]
        switch length {
        case .shortest:
            switch payload.count {
            case 0...125: bytes.append(mask | UInt8(payload.count))
            case 126...65_535: bytes += [mask | 126] + Self.digits(UInt64(payload.count), 2)
            default: bytes += [mask | 127] + Self.digits(UInt64(payload.count), 8)
            }
        case .one(let length): bytes.append(mask | length)
        case .two(let length): bytes += [mask | 126] + Self.digits(UInt64(length), 2)
        case .eight(let length): bytes += [mask | 127] + Self.digits(length, 8)
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0xA1, 0x02, 0xF3, 0x44]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    private static func digits(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64((count - 1 - $0) * 8)) }
    }
}

extension FrameRule {
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A close frame with a code.
    private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> Frame {
        Frame(first: 0x88, payload: [UInt8(code >> 8), UInt8(code & 255)] + reason)
    }

    package static let all = messages + control + headers + lengths + order + text + closing

    private static let messages: [Self] = [
        .init("an empty text", .init(first: 0x81), expecting: "text:"),
        .init("a text", .init(first: 0x81, payload: [0x68, 0x69]), expecting: "text:hi"),
        .init("bytes", .init(first: 0x82, payload: [0, 255, 7]), expecting: "binary:3"),
        .init("125 bytes", .init(first: 0x82, payload: zeros(125)), expecting: "binary:125"),
        .init("126 bytes", .init(first: 0x82, payload: zeros(126)), expecting: "binary:126"),
        .init("65,535 bytes", .init(first: 0x82, payload: zeros(65_535)), expecting: "binary:65535"),
        .init("65,536 bytes", .init(first: 0x82, payload: zeros(65_536)), expecting: "binary:65536"),
        .init(
            "two texts in a row",
            .init(first: 0x81, payload: [0x61]),
            .init(first: 0x81, payload: [0x62]),
            expecting: "text:a",
            "text:b"
        ),
        .init(
            "a text in two fragments",
            .init(first: 0x01, payload: [0x61]),
            .init(first: 0x80, payload: [0x62]),
            expecting: "text:ab"
        ),
        .init(
            "a text in empty fragments",
            .init(first: 0x01),
            .init(first: 0x00),
            .init(first: 0x80),
            expecting: "text:"
        ),
        .init(
            "bytes in fragments",
            .init(first: 0x02, payload: [1]),
            .init(first: 0x00, payload: [2]),
            .init(first: 0x80, payload: [3]),
            expecting: "binary:3"
        ),
        .init(
            "a character over two fragments",
            .init(first: 0x01, payload: [0xC3]),
            .init(first: 0x80, payload: [0xA4]),
            expecting: "text:ä"
        ),
    ]

    private static let control: [Self] = [
        .init("a ping", .init(first: 0x89, payload: [1, 2]), expecting: "ping:2"),
        .init("an empty ping", .init(first: 0x89), expecting: "ping:0"),
        .init("a ping of 125 bytes", .init(first: 0x89, payload: zeros(125)), expecting: "ping:125"),
        .init("a ping of 126 bytes", .init(first: 0x89, payload: zeros(126)), expecting: "fault:1002"),
        .init("a pong nobody asked for", .init(first: 0x8A, payload: [9]), expecting: "pong"),
        .init("a fragmented ping", .init(first: 0x09), expecting: "fault:1002"),
        .init("a fragmented pong", .init(first: 0x0A), expecting: "fault:1002"),
        .init("a fragmented close", .init(first: 0x08), expecting: "fault:1002"),
        .init(
            "a ping between fragments",
            .init(first: 0x01, payload: [0x61]),
            .init(first: 0x89, payload: [7]),
            .init(first: 0x80, payload: [0x62]),
            expecting: "ping:1",
            "text:ab"
        ),
    ]

    private static let headers: [Self] =
        [0x40, 0x20, 0x10, 0x70].flatMap { bits in
            [0x81, 0x82, 0x88, 0x89, 0x8A].map { first in
                .init(
                    "reserved bits \(String(bits, radix: 16)) of \(String(first, radix: 16))",
                    .init(first: first | bits),
                    expecting: "fault:1002"
                )
            }
        }
        + [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map { opcode in
            .init("the reserved opcode \(opcode)", .init(first: 0x80 | opcode), expecting: "fault:1002")
        }
        + [
            .init("a reserved opcode within a text", .init(first: 0x01), .init(first: 0x83), expecting: "fault:1002"),
            .init(
                "the other side's mask",
                .init(first: 0x81, payload: [0x61], hasWrongMask: true),
                expecting: "fault:1002"
            ),
            .init("the other side's mask on a ping", .init(first: 0x89, hasWrongMask: true), expecting: "fault:1002"),
        ]

    private static let lengths: [Self] = [
        .init(
            "a length of two bytes that needs one",
            .init(first: 0x82, payload: zeros(125), length: .two(125)),
            expecting: "fault:1002"
        ),
        .init("a length of two bytes that is 0", .init(first: 0x81, length: .two(0)), expecting: "fault:1002"),
        .init(
            "a length of eight bytes that needs two",
            .init(first: 0x82, length: .eight(65_535)),
            expecting: "fault:1002"
        ),
        .init("a length of eight bytes that needs one", .init(first: 0x81, length: .eight(1)), expecting: "fault:1002"),
        .init("the highest bit of a length", .init(first: 0x82, length: .eight(1 << 63)), expecting: "fault:1002"),
        .init("a length of all bits", .init(first: 0x82, length: .eight(.max)), expecting: "fault:1002"),
        .init("a frame over the ceiling", .init(first: 0x82, length: .eight(1 << 40)), expecting: "fault:1009"),
        .init(
            "fragments over the ceiling",
            .init(first: 0x02, payload: zeros(65_535)),
            .init(first: 0x80, length: .two(65_535)),
            expecting: "fault:1009"
        ),
    ]

    private static let order: [Self] = [
        .init("a continuation of nothing", .init(first: 0x80), expecting: "fault:1002"),
        .init("a fragment of nothing", .init(first: 0x00, payload: [1]), expecting: "fault:1002"),
        .init(
            "a continuation after a whole message",
            .init(first: 0x81, payload: [0x61]),
            .init(first: 0x80, payload: [0x62]),
            expecting: "text:a",
            "fault:1002"
        ),
        .init(
            "a message within a message",
            .init(first: 0x01, payload: [0x61]),
            .init(first: 0x81, payload: [0x62]),
            expecting: "fault:1002"
        ),
        .init(
            "a fragmented message within a message",
            .init(first: 0x01, payload: [0x61]),
            .init(first: 0x01, payload: [0x62]),
            expecting: "fault:1002"
        ),
    ]

    /// Bytes that are not UTF-8, and where that is clear: the rest of the message does not come.
    private static let text: [Self] =
        ([
            ("a wrong continuation", [0xC3, 0x28]), ("a lone continuation", [0x80]),
            ("a surrogate", [0xED, 0xA0, 0x80]),
            ("an overlong slash", [0xC0, 0xAF]), ("an overlong form of three bytes", [0xE0, 0x9F, 0xBF]),
            ("an overlong form of four bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
            ("a character past the last", [0xF4, 0x90, 0x80, 0x80]), ("a byte that never occurs", [0xF5]),
            ("the byte FE", [0xFE]), ("the byte FF", [0xFF]),
        ] as [(String, [UInt8])]).flatMap { name, bytes -> [Self] in
            [
                .init("text with \(name)", .init(first: 0x81, payload: bytes), expecting: "fault:1007"),
                .init(
                    "text that goes on after \(name)",
                    .init(first: 0x81, payload: [0x61] + bytes, length: .one(100)),
                    expecting: "fault:1007"
                ),
                .init(
                    "a first fragment with \(name)",
                    .init(first: 0x01, payload: Array("twelve bytes".utf8) + bytes),
                    expecting: "fault:1007"
                ),
            ]
        }
        + [
            .init("text that ends within a character", .init(first: 0x81, payload: [0xC3]), expecting: "fault:1007"),
            .init(
                "fragments that end within a character",
                .init(first: 0x01, payload: [0xE2, 0x82]),
                .init(first: 0x80),
                expecting: "fault:1007"
            ),
            .init(
                "a wrong continuation in the next fragment",
                .init(first: 0x01, payload: [0xF0, 0x9F]),
                .init(first: 0x00, payload: [0x98, 0x28]),
                expecting: "fault:1007"
            ),
            .init(
                "a message before bad text arrives",
                .init(first: 0x81, payload: [0x61]),
                .init(first: 0x81, payload: [0xFF]),
                expecting: "text:a",
                "fault:1007"
            ),
            .init(
                "characters of every length",
                .init(first: 0x81, payload: Array("aß€😀\u{10FFFF}\u{D7FF}\u{E000}\u{FFFE}".utf8)),
                expecting: "text:aß€😀\u{10FFFF}\u{D7FF}\u{E000}\u{FFFE}"
            ),
            .init(
                "bad text in bytes",
                .init(first: 0x82, payload: [0xFF, 0xC0]),
                expecting: "binary:2"
            ),
        ]

    private static let closing: [Self] =
        [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999].map { code in
            .init("a close with code \(code)", close(code), expecting: "close:\(code):")
        }
        + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { code in
            .init("a close with code \(code)", close(code), expecting: "fault:1002")
        }
        + [
            .init("a close without a code", .init(first: 0x88), expecting: "close:1005:"),
            .init("a close with a reason", close(1001, [0x68, 0x69]), expecting: "close:1001:hi"),
            .init(
                "a close with a reason of 123 bytes",
                close(1000, [UInt8](repeating: 0x61, count: 123)),
                expecting: "close:1000:\(String(repeating: "a", count: 123))"
            ),
            .init(
                "a close with a reason of 124 bytes",
                close(1000, [UInt8](repeating: 0x61, count: 124)),
                expecting: "fault:1002"
            ),
            .init("a close with half a code", .init(first: 0x88, payload: [3]), expecting: "fault:1002"),
            .init("a close whose reason is no UTF-8", close(1000, [0xFF]), expecting: "fault:1007"),
            .init("a close within a message", .init(first: 0x01), close(1000), expecting: "close:1000:"),
        ]
}
