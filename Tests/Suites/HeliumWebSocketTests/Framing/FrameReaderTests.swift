import Foundation
import HeliumBytes
import HeliumWebSocketFraming
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

    @Test("frames that are cut at any byte are read like whole ones", arguments: sides)
    func cuts(_ side: FrameSide) {
        for rule in FrameRule.all {
            let bytes = rule.bytes(isMasked: side == .server)
            let whole = read([bytes[...]], by: side)
            // In long frames, the bytes of the header, some in the middle and the last ones.
            let ends = bytes.count > 1_000 ? Array(0...15) + [4_099] : []
            let cuts = ends.isEmpty ? Array(0...bytes.count) : ends + ends.map { bytes.count - $0 }
            for cut in cuts {
                let parts = [bytes[..<cut], bytes[cut...]]
                #expect(read(parts, by: side) == whole, "\(rule.name), by the \(side), cut at \(cut)")
                // The same with a cut within each part.
                let halves = parts.flatMap { [$0.prefix($0.count / 2), $0.dropFirst($0.count / 2)] }
                #expect(read(halves, by: side) == whole, "\(rule.name), by the \(side), in four parts around \(cut)")
            }
        }
    }

    @Test("bytes, texts and pings arrive as they were sent, cut at any byte", arguments: sides)
    func payloads(_ side: FrameSide) throws {
        let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let text = String(repeating: "aß€😀", count: 20)
        let keys: @Sendable (Int) -> [UInt64] = { [UInt64](repeating: 0x0102_0304_A1B2_C3D4, count: $0) }
        var writer = FrameWriter(randomNumbers: side == .client ? nil : keys)
        var out = ByteQueue()
        writer.write(.binary, bytes, to: &out)
        writer.write(.ping, Array(bytes.prefix(125)), to: &out)
        writer.write(.text, Array(text.utf8), to: &out)
        let frames = out.bytes
        for cut in 0...frames.count {
            var reader = Self.reader(side)
            var found: [Payload] = []
            var unread: [UInt8] = []
            for part in [frames[..<cut], frames[cut...]] {
                unread += part
                var consumed = 0
                while let event = try reader.next(unread.span.bytes, consumed: &consumed) {
                    switch event {
                    case .binary(let data): found.append(.bytes(Array(data)))
                    case .ping(let payload): found.append(.ping(payload))
                    case .text(let text, _): found.append(.text(text))
                    case .pong, .close: Issue.record("was not sent")
                    }
                }
                unread.removeFirst(consumed)
            }
            #expect(found == [.bytes(bytes), .ping(Array(bytes.prefix(125))), .text(text)], "cut at \(cut)")
        }
    }

    private enum Payload: Equatable {
        case bytes([UInt8])
        case ping([UInt8])
        case text(String)
    }

    @Test("only an incomplete header is left, whatever has arrived", arguments: sides)
    func leftovers(_ side: FrameSide) {
        for rule in FrameRule.all {
            let bytes = rule.bytes(isMasked: side == .server)
            for count in 0...min(bytes.count, 300) {
                var reader = Self.reader(side)
                let arrived = Array(bytes.prefix(count))
                var consumed = 0
                do throws(FrameFault) {
                    while try reader.next(arrived.span.bytes, consumed: &consumed) != nil {}
                } catch {
                    continue
                }
                #expect(count - consumed < FrameWriter.headerBytes, "\(rule.name), by the \(side), \(count) bytes")
                let isIncomplete = consumed < count || reader.isWithinMessage
                #expect(isIncomplete || isEnd(of: rule, count, side), "\(rule.name), by the \(side), \(count) bytes")
            }
        }
    }

    /// Whether the first bytes of a rule end with a message or a control frame outside of one.
    private func isEnd(of rule: FrameRule, _ count: Int, _ side: FrameSide) -> Bool {
        var ends: Set<Int> = [0]
        var end = 0
        var isFragmented = false
        for frame in rule.frames {
            let bytes = frame.bytes(isMasked: side == .server)
            end += bytes.count
            if bytes[0] & 8 == 0 { isFragmented = bytes[0] & 0x80 == 0 }
            if !isFragmented { ends.insert(end) }
        }
        return ends.contains(count)
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
        let bytes: [UInt8] = [0x82, 127, 0, 0, 0, 255, 0, 0, 0, 0, 1, 2, 3]
        var consumed = 0
        let event = try reader.next(bytes.span.bytes, consumed: &consumed)
        #expect(event == nil && consumed == bytes.count && reader.isWithinMessage)
    }

    @Test("a short text is checked at each of its bytes")
    func shortTexts() throws {
        #expect(try Self.text([]) == "")
        for count in 1...125 {
            let ascii = (0..<count).map { UInt8(ascii: "A") + UInt8($0 % 26) }
            #expect(try Self.text(ascii) == String(decoding: ascii, as: UTF8.self))
            for place in ascii.indices {
                var payload = ascii
                payload[place] = 0x80
                #expect((try? Self.text(payload)) == nil, "a continuation byte at \(place) of \(count)")
                guard place > 0 else { continue }
                payload[place - 1] = 0xC3
                #expect(try Self.text(payload) == String(decoding: payload, as: UTF8.self), "at \(place) of \(count)")
            }
        }
    }

    /// Returns the text of a frame from the server that arrives at once.
    private static func text(_ payload: [UInt8]) throws -> String? {
        let bytes = [0x81, UInt8(payload.count)] + payload
        var reader = reader(.client)
        var consumed = 0
        guard case .text(let text, let byteCount) = try reader.next(bytes.span.bytes, consumed: &consumed) else {
            return nil
        }
        return byteCount == payload.count && consumed == bytes.count ? text : nil
    }

    private static func reader(_ side: FrameSide) -> FrameReader {
        FrameReader(for: side, maximumFrameBytes: FrameRule.limit, maximumMessageBytes: FrameRule.limit)
    }

    private func read(_ bytes: some Collection<UInt8>, by side: FrameSide, inPiecesOf size: Int) -> [String] {
        let bytes = Array(bytes)
        let starts = stride(from: 0, to: bytes.count, by: size)
        return read(starts.map { bytes[$0..<min($0 + size, bytes.count)] }, by: side)
    }

    private func read(_ parts: [ArraySlice<UInt8>], by side: FrameSide) -> [String] {
        var reader = Self.reader(side)
        var unread: [UInt8] = []
        var found: [String] = []
        for part in parts {
            unread += part
            var consumed = 0
            do throws(FrameFault) {
                while let event = try reader.next(unread.span.bytes, consumed: &consumed) { found.append(name(event)) }
            } catch {
                return found + ["fault:\(error.code)"]
            }
            unread.removeFirst(consumed)
        }
        return found
    }

    private func name(_ event: FrameEvent) -> String {
        switch event {
        case .text(let text, let count): text.utf8.count == count ? "text:\(text)" : "count differs"
        case .binary(let bytes): "binary:\(bytes.count)"
        case .ping(let payload): "ping:\(payload.count)"
        case .pong: "pong"
        case .close(let code, let reason): "close:\(code ?? 1005):\(reason)"
        }
    }
}
