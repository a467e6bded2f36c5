import HeliumWebSocketFraming
import NIOCore
import Testing
import WireSupport

@Suite("Frames of a WebSocket peer")
struct FrameReaderTests {
    private static let sides = [FrameSide.client, .server]

    @Test("frames are read by both sides by the rules, in any pieces")
    func rules() {
        for rule in FrameRule.all {
            for side in Self.sides {
                let bytes = rule.bytes(isMasked: side == .server)
                let sizes = bytes.count > 1000 ? [bytes.count, 1000, 4099] : Array(1...bytes.count)
                for size in sizes {
                    #expect(
                        read(bytes, by: side, inPiecesOf: size) == rule.expected,
                        "\(rule.name), by the \(side), in pieces of \(size)"
                    )
                }
            }
        }
    }

    @Test("an invalid frame fails at its first wrong byte", arguments: sides)
    func failFast(_ side: FrameSide) {
        let bytes = FrameRule.all.first { $0.name == "text that goes on after a surrogate" }?.bytes(
            isMasked: side == .server
        )
        guard let bytes else {
            Issue.record("the table has lost a rule")
            return
        }
        // The second byte of a surrogate decides.
        #expect(read(bytes.dropLast(2), by: side, inPiecesOf: 1) == [])
        #expect(read(bytes.dropLast(1), by: side, inPiecesOf: 1) == ["fault:1007"])
    }

    @Test("a frame that announces a long payload allocates little")
    func reserve() throws {
        var reader = FrameReader(for: .client, maximumFrameBytes: 1 << 40, maximumMessageBytes: 1 << 40)
        var bytes = ByteBuffer(bytes: [0x82, 127, 0, 0, 0, 255, 0, 0, 0, 0, 1, 2, 3])
        let event = try reader.next(&bytes)
        #expect(event == nil && bytes.readableBytes == 0 && reader.isWithinMessage)
    }

    private func read(_ bytes: some Collection<UInt8>, by side: FrameSide, inPiecesOf size: Int) -> [String] {
        var reader = FrameReader(
            for: side,
            maximumFrameBytes: FrameRule.limit,
            maximumMessageBytes: FrameRule.limit
        )
        var buffer = ByteBuffer()
        var found: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            buffer.writeBytes(rest.prefix(size))
            rest = rest.dropFirst(size)
            do throws(FrameFault) {
                while let event = try reader.next(&buffer) { found.append(name(event)) }
            } catch {
                return found + ["fault:\(error.code)"]
            }
        }
        return found
    }

    private func name(_ event: FrameEvent) -> String {
        switch event {
        case .text(let text, let count): text.utf8.count == count ? "text:\(text)" : "count differs"
        case .binary(let bytes): "binary:\(bytes.readableBytes)"
        case .ping(let payload): "ping:\(payload.readableBytes)"
        case .pong: "pong"
        case .close(let code, let reason): "close:\(code ?? 1005):\(reason)"
        }
    }
}
