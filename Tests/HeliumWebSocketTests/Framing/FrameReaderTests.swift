import Foundation
import HeliumCore
import NIOCore
import Testing

@testable import HeliumWebSocket

/// What a server sends, and what must come of it: after the cases of the Autobahn test suite.
struct FrameCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let expected: [String]

    init(_ name: String, _ bytes: [UInt8], _ expected: String...) {
        testDescription = name
        self.bytes = bytes
        self.expected = expected
    }

    static let limit = 70_000

    static let all: [FrameCase] = [
        .init("an empty text", [0x81, 0], "text:"),
        .init("a text", [0x81, 2, 0x68, 0x69], "text:hi"),
        .init("bytes", [0x82, 3, 0, 255, 7], "binary:3"),
        .init("125 bytes", [0x82, 125] + zeros(125), "binary:125"),
        .init("126 bytes", [0x82, 126, 0, 126] + zeros(126), "binary:126"),
        .init("65,535 bytes", [0x82, 126, 255, 255] + zeros(65_535), "binary:65535"),
        .init("65,536 bytes", [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0] + zeros(65_536), "binary:65536"),
        .init("two texts in a row", [0x81, 1, 0x61, 0x81, 1, 0x62], "text:a", "text:b"),
        .init("a ping", [0x89, 2, 1, 2], "ping:2"),
        .init("an empty ping", [0x89, 0], "ping:0"),
        .init("a ping of 125 bytes", [0x89, 125] + zeros(125), "ping:125"),
        .init("a pong nobody asked for", [0x8A, 1, 9], "pong"),
        .init("a text in two fragments", [0x01, 1, 0x61, 0x80, 1, 0x62], "text:ab"),
        .init("a text in empty fragments", [0x01, 0, 0x00, 0, 0x80, 0], "text:"),
        .init("bytes in fragments", [0x02, 1, 1, 0x00, 1, 2, 0x80, 1, 3], "binary:3"),
        .init("a ping between fragments", [0x01, 1, 0x61, 0x89, 1, 7, 0x80, 1, 0x62], "ping:1", "text:ab"),
        .init("a character over two fragments", [0x01, 1, 0xC3, 0x80, 1, 0xA4], "text:ä"),
        .init("a close without a code", [0x88, 0], "close:1005:"),
        .init("a close with a code", [0x88, 2, 0x03, 0xE8], "close:1000:"),
        .init("a close with a reason", [0x88, 4, 0x03, 0xE9, 0x68, 0x69], "close:1001:hi"),
        .init("a close with an application's code", [0x88, 2, 0x0F, 0xA0], "close:4000:"),

        .init("reserved bit 1", [0xC1, 0], "fault:1002"),
        .init("reserved bit 2", [0xA1, 0], "fault:1002"),
        .init("reserved bit 3", [0x91, 0], "fault:1002"),
        .init("reserved bit on a ping", [0xC9, 0], "fault:1002"),
        .init("reserved opcode 3", [0x83, 0], "fault:1002"),
        .init("reserved opcode 7", [0x87, 0], "fault:1002"),
        .init("reserved opcode 11", [0x8B, 0], "fault:1002"),
        .init("reserved opcode 15", [0x8F, 0], "fault:1002"),
        .init("a masked frame", [0x81, 0x81, 1, 2, 3, 4, 0x60], "fault:1002"),
        .init("a ping of 126 bytes", [0x89, 126, 0, 126] + zeros(126), "fault:1002"),
        .init("a fragmented ping", [0x09, 0], "fault:1002"),
        .init("a fragmented close", [0x08, 0], "fault:1002"),
        .init("a continuation of nothing", [0x80, 0], "fault:1002"),
        .init("a fragment of nothing", [0x00, 1, 1], "fault:1002"),
        .init("a message within a message", [0x01, 1, 0x61, 0x81, 1, 0x62], "fault:1002"),
        .init("a length of two bytes that needs one", [0x82, 126, 0, 125] + zeros(125), "fault:1002"),
        .init("a length of eight bytes that needs two", [0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255], "fault:1002"),
        .init("a negative length", [0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255], "fault:1009"),
        .init("a frame over the ceiling", [0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x71], "fault:1009"),
        .init(
            "fragments over the ceiling",
            [0x02, 126, 0xFF, 0xFF] + zeros(65_535) + [0x80, 126, 0xFF, 0xFF],
            "fault:1009"
        ),
        .init("text that is no UTF-8", [0x81, 2, 0xC3, 0x28], "fault:1007"),
        .init("text that ends within a character", [0x81, 1, 0xC3], "fault:1007"),
        .init("text with a surrogate", [0x81, 3, 0xED, 0xA0, 0x80], "fault:1007"),
        .init("text with an overlong form", [0x81, 2, 0xC0, 0xAF], "fault:1007"),
        .init("text past the last character", [0x81, 4, 0xF4, 0x90, 0x80, 0x80], "fault:1007"),
        .init("a message before bad text arrives", [0x81, 1, 0x61, 0x81, 1, 0xFF], "text:a", "fault:1007"),
        .init("a close with half a code", [0x88, 1, 3], "fault:1002"),
        .init("a close with code 0", [0x88, 2, 0, 0], "fault:1002"),
        .init("a close with code 999", [0x88, 2, 0x03, 0xE7], "fault:1002"),
        .init("a close with code 1004", [0x88, 2, 0x03, 0xEC], "fault:1002"),
        .init("a close with code 1005", [0x88, 2, 0x03, 0xED], "fault:1002"),
        .init("a close with code 1006", [0x88, 2, 0x03, 0xEE], "fault:1002"),
        .init("a close with code 1015", [0x88, 2, 0x03, 0xF7], "fault:1002"),
        .init("a close with code 2999", [0x88, 2, 0x0B, 0xB7], "fault:1002"),
        .init("a close with code 5000", [0x88, 2, 0x13, 0x88], "fault:1002"),
        .init("a close whose reason is no UTF-8", [0x88, 3, 0x03, 0xE8, 0xFF], "fault:1007"),
    ]

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

@Suite("A server's frames")
struct FrameReaderTests {
    @Test("are read whole", arguments: FrameCase.all)
    func whole(_ example: FrameCase) {
        #expect(read(example.bytes, inPiecesOf: example.bytes.count) == example.expected)
    }

    @Test("are read the same in whatever pieces they arrive", arguments: FrameCase.all)
    func inPieces(_ example: FrameCase) {
        let sizes = example.bytes.count > 1000 ? [1000, 4099] : Array(1...max(1, example.bytes.count))
        for size in sizes { #expect(read(example.bytes, inPiecesOf: size) == example.expected, "pieces of \(size)") }
    }

    @Test("that announce much set little aside")
    func reserve() throws {
        var reader = FrameReader(maximumFrameBytes: 1 << 40, maximumMessageBytes: 1 << 40)
        var bytes = ByteBuffer(bytes: [0x82, 127, 0, 0, 0, 255, 0, 0, 0, 0, 1, 2, 3])
        let arrival = try reader.next(&bytes)
        #expect(arrival == nil && bytes.readableBytes == 0)
    }

    private func read(_ bytes: [UInt8], inPiecesOf size: Int) -> [String] {
        var reader = FrameReader(maximumFrameBytes: FrameCase.limit, maximumMessageBytes: FrameCase.limit)
        var buffer = ByteBuffer()
        var found: [String] = []
        var start = 0
        while start < bytes.count {
            buffer.writeBytes(bytes[start..<min(start + size, bytes.count)])
            start += size
            do throws(ConnectionFault) {
                while let arrival = try reader.next(&buffer) { found.append(name(arrival)) }
            } catch {
                return found + ["fault:\(error.code.rawValue)"]
            }
        }
        return found
    }

    private func name(_ arrival: Arrival) -> String {
        switch arrival {
        case .message(.text(let text), _): "text:\(text)"
        case .message(.binary(let data), let count): count == data.count ? "binary:\(count)" : "count differs"
        case .ping(let payload): "ping:\(payload.readableBytes)"
        case .pong: "pong"
        case .close(let closure): "close:\(closure.code):\(closure.reason)"
        }
    }
}
