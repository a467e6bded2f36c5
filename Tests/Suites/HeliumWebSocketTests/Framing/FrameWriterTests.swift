import Foundation
import HeliumBytes
import HeliumConcurrency
import HeliumCore
import HeliumWebSocketFraming
import Synchronization
import TestSupport
import Testing

@testable import HeliumWebSocket

@Suite("Frames of a WebSocket client")
struct FrameWriterTests {
    @Test(
        "a client's frame is masked with its key",
        arguments: Array(0...72) + [125, 126, 65_535, 65_536]
    )
    func masked(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let payload = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        var writer = FrameWriter(randomNumbers: { [UInt64](repeating: 0x0102_0304_A1B2_C3D4, count: $0) })
        var out = ByteQueue()
        payload.withUnsafeBytes { writer.write(.binary, $0.bytes, to: &out) }

        var frame = out.bytes[...]
        let opcode = frame.removeFirst()
        let short = frame.removeFirst()
        #expect(opcode == 0x82 && short & 0x80 != 0)
        let size = [126: 2, 127: 8][short & 0x7F] ?? 0
        let length = size == 0 ? Int(short & 0x7F) : frame.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        #expect(length == count)
        frame = frame.dropFirst(size)
        let key = Array(frame.prefix(4))
        #expect(key == [0xD4, 0xC3, 0xB2, 0xA1])
        let masked = frame.dropFirst(4)
        #expect(masked.enumerated().map { $1 ^ key[$0 % 4] } == Array(payload))
    }

    @Test("a server's frame is not masked", arguments: [0, 125, 126, 65_535, 65_536])
    func unmasked(count: Int) throws {
        var writer = FrameWriter(randomNumbers: nil)
        var out = ByteQueue()
        writer.write(.binary, [UInt8](repeating: 7, count: count), to: &out)
        var reader = FrameReader(for: .client, maximumFrameBytes: 1 << 20, maximumMessageBytes: 1 << 20)
        var consumed = 0
        let event = try out.withBytes { try reader.next($0, consumed: &consumed) }
        guard case .binary(let payload) = event else {
            Issue.record("no binary message")
            return
        }
        #expect(payload == Data(repeating: 7, count: count) && consumed == out.count)
    }

    @Test("each frame of a client has a key of its own")
    func keys() {
        let numbers = Counter()
        var writer = FrameWriter(randomNumbers: { count in (0..<count).map { _ in numbers.next() } })
        var keys: Set<[UInt8]> = []
        for _ in 0..<100 {
            var out = ByteQueue()
            writer.write(.text, [], to: &out)
            keys.insert(Array(out.bytes.suffix(4)))
        }
        #expect(keys.count == 100)
    }

    @Test(
        "a close reason that is too long is cut between characters",
        arguments: [("", 0), (String(repeating: "a", count: 123), 123), (String(repeating: "ä", count: 70), 122)]
    )
    func reason(text: String, count: Int) {
        let codec = WebSocketCodec(WebSocketOptions())
        var out = ByteQueue()
        #expect(codec.writeClose(.normal, reason: text, to: &out))
        #expect(out.count == 2 + 4 + 2 + count)
    }

    @Test("a frame carries no close code that must not be sent", arguments: [WebSocketCloseCode.noStatus, .abnormal])
    func unsendable(code: WebSocketCloseCode) {
        let codec = WebSocketCodec(WebSocketOptions())
        var out = ByteQueue()
        #expect(codec.writeClose(code, reason: "why", to: &out))
        #expect(out.count == 6)
    }

    private final class Counter: Sendable {
        private let value = Guarded<UInt64>(0)
        func next() -> UInt64 {
            value.withLock { value in
                value += 1
                return value << 32 | (value + 1_000_000)
            }
        }
    }
}
