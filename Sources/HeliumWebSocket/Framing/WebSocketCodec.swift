internal import Foundation
internal import HeliumBytes
internal import HeliumCore
internal import HeliumWebSocketFraming

/// Reads and writes the messages of a WebSocket in the role of a client.
final class WebSocketCodec: MessageCodec {
    // Neither calls anything that refers to the codec, nor does the source of random numbers. So two accesses can't
    // overlap, and need no check.

    @exclusivity(unchecked) private var reader: FrameReader
    @exclusivity(unchecked) private var writer: FrameWriter

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

    func next(
        _ bytes: RawSpan,
        consumed: inout Int,
        messages: inout MessageQueue,
        room: MessageQueue.Room
    ) throws(ConnectionFault) -> ControlItem? {
        do throws(FrameFault) {
            return try Self.next(bytes, &consumed, by: &reader, &messages, room)
        } catch {
            throw ConnectionFault(error)
        }
    }

    /// Reads with one access to the reader, so that it is not loaded again after each call.
    private static func next(
        _ bytes: RawSpan,
        _ consumed: inout Int,
        by reader: inout FrameReader,
        _ messages: inout MessageQueue,
        _ room: MessageQueue.Room
    ) throws(FrameFault) -> ControlItem? {
        while !messages.fills(room) {
            if let text = reader.nextShortText(bytes, consumed: &consumed) {
                // Counted first, so that the text is moved into the queue.
                let byteCount = text.utf8.count
                messages.append(.text(consume text), byteCount: byteCount)
                continue
            }
            switch try reader.next(bytes, consumed: &consumed) {
            case nil: return nil
            case .text(let text, let byteCount): messages.append(.text(text), byteCount: byteCount)
            case .binary(let data): messages.append(.binary(data), byteCount: data.count)
            case .ping(let payload): return .ping(payload)
            case .pong: return .pong
            case .close(let code, let reason):
                let code = code.map { WebSocketCloseCode(rawValue: $0) } ?? .noStatus
                return .close(WebSocketClosure(code: code, reason: reason, wasClean: true))
            }
        }
        return nil
    }

    func writeMessages(of batch: inout [Outgoing], from index: inout Int, to out: inout ByteQueue) {
        Self.writeMessages(of: &batch, from: &index, by: &writer, to: &out)
    }

    private static func writeMessages(
        of batch: inout [Outgoing],
        from index: inout Int,
        by writer: inout FrameWriter,
        to out: inout ByteQueue
    ) {
        while index < batch.count, let message = batch[index].takeMessage() {
            switch consume message {
            case .text(var text): text.withUTF8 { writer.write(.text, UnsafeRawBufferPointer($0).bytes, to: &out) }
            case .binary(let data): data.withUnsafeBytes { writer.write(.binary, $0.bytes, to: &out) }
            }
            index += 1
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
