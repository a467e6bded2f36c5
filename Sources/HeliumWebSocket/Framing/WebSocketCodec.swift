internal import Foundation
internal import HeliumBytes
internal import HeliumCore
internal import HeliumWebSocketFraming

/// Reads and writes the messages of a WebSocket in the role of a client.
final class WebSocketCodec: MessageCodec {
    private var reader: FrameReader
    private var writer: FrameWriter

    var overhead: Int { FrameWriter.headerBytes }

    init(_ options: WebSocketOptions) {
        reader = FrameReader(
            for: .client,
            maximumFrameBytes: options.limits.frameBytes,
            maximumMessageBytes: options.limits.messageBytes
        )
        let random = options.random
        writer = FrameWriter(randomNumbers: { random.bits(count: $0) })
    }

    var isWithinMessage: Bool { reader.isWithinMessage }

    func next(_ bytes: RawSpan, consumed: inout Int) throws(ConnectionFault) -> DecodedItem? {
        let event: FrameEvent?
        do throws(FrameFault) {
            event = try reader.next(bytes, consumed: &consumed)
        } catch {
            throw ConnectionFault(error)
        }
        switch event {
        case nil: return nil
        case .text(let text, let byteCount): return .message(.text(text), byteCount: byteCount)
        case .binary(let data): return .message(.binary(data), byteCount: data.count)
        case .ping(let payload): return .ping(payload)
        case .pong: return .pong
        case .close(let code, let reason):
            let code = code.map { WebSocketCloseCode(rawValue: $0) } ?? .noStatus
            return .close(WebSocketClosure(code: code, reason: reason, wasClean: true))
        }
    }

    func write(_ message: WebSocketMessage, to out: inout ByteQueue) {
        switch message {
        case .text(var text):
            text.withUTF8 { writer.write(.text, UnsafeRawBufferPointer($0).bytes, to: &out) }
        case .binary(let data):
            data.withUnsafeBytes { writer.write(.binary, $0.bytes, to: &out) }
        }
    }

    func writePing(to out: inout ByteQueue) -> Bool {
        writer.write(.ping, [], to: &out)
        return true
    }

    func writePong(_ payload: [UInt8], to out: inout ByteQueue) { writer.write(.pong, payload, to: &out) }

    func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteQueue) -> Bool {
        writer.writeClose(code.rawValue, reason: reason, to: &out)
        return true
    }
}
