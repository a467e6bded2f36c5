internal import Foundation
internal import NIOCore

/// Puts the frames of a server together to messages: a value without I/O.
///
/// Payloads are taken as they arrive, so that what waits unread is never more than a frame's header or a control frame.
struct FrameReader {
    private let maximumFrameBytes: Int
    private let maximumMessageBytes: Int

    /// The data frame under way.
    private var frame: FrameHeader?
    /// How much of it is still to come.
    private var missing = 0
    /// What has come of the message under way, if it did not come at once.
    private var assembly: ByteBuffer?
    private var isText = false
    /// Whether a message was begun and not ended.
    private var isFragmented = false
    /// The most that is set aside for a message before its bytes are there.
    private static let reserveLimit = 64 << 10

    init(maximumFrameBytes: Int, maximumMessageBytes: Int) {
        self.maximumFrameBytes = maximumFrameBytes
        self.maximumMessageBytes = maximumMessageBytes
    }

    /// Takes the next message or control frame out of `bytes`; `nil` when more are needed.
    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> Arrival? {
        while true {
            if let frame {
                guard let arrival = try payload(of: frame, in: &bytes) else {
                    if self.frame == nil { continue }
                    return nil
                }
                return arrival
            }
            let start = bytes.readerIndex
            guard let header = try FrameHeader(&bytes, maximumLength: maximumFrameBytes) else { return nil }
            if header.opcode.isControl {
                guard let payload = bytes.readSlice(length: header.length) else {
                    bytes.moveReaderIndex(to: start)
                    return nil
                }
                return try Self.control(header.opcode, payload)
            }
            try begin(header)
        }
    }
}

// MARK: Data

extension FrameReader {
    private mutating func begin(_ header: FrameHeader) throws(ConnectionFault) {
        if header.opcode == .continuation {
            guard isFragmented else { throw .violation("a frame continues no message") }
        } else {
            guard !isFragmented else { throw .violation("a message begins within another") }
            isText = header.opcode == .text
        }
        guard header.length <= maximumMessageBytes - (assembly?.readableBytes ?? 0) else {
            throw .tooBig(.messageBytes, limit: maximumMessageBytes)
        }
        isFragmented = !header.isFinal
        missing = header.length
        frame = header
    }

    /// - Returns: The message, if the frame was its last and is whole.
    private mutating func payload(
        of frame: FrameHeader,
        in bytes: inout ByteBuffer
    ) throws(ConnectionFault) -> Arrival? {
        if assembly == nil, frame.isFinal, let whole = bytes.readSlice(length: missing) {
            self.frame = nil
            return try message(whole)
        }
        let count = min(missing, bytes.readableBytes)
        if var part = bytes.readSlice(length: count) {
            var assembly = self.assembly ?? ByteBuffer()
            self.assembly = nil
            assembly.reserveCapacity(minimumWritableBytes: min(missing, max(count, Self.reserveLimit)))
            assembly.writeBuffer(&part)
            self.assembly = assembly
            missing -= count
        }
        guard missing == 0 else { return nil }
        self.frame = nil
        guard frame.isFinal, let whole = assembly else { return nil }
        assembly = nil
        return try message(whole)
    }

    private func message(_ bytes: ByteBuffer) throws(ConnectionFault) -> Arrival {
        let count = bytes.readableBytes
        guard isText else { return .message(.binary(Data(bytes.readableBytesView)), byteCount: count) }
        guard let text = bytes.verifiedText else { throw .invalidText("a text message") }
        return .message(.text(text), byteCount: count)
    }
}

// MARK: Control frames

extension FrameReader {
    private static func control(
        _ opcode: FrameHeader.Opcode,
        _ payload: ByteBuffer
    ) throws(ConnectionFault) -> Arrival {
        switch opcode {
        case .ping: .ping(payload)
        case .close: .close(try closure(payload))
        default: .pong
        }
    }

    private static func closure(_ payload: ByteBuffer) throws(ConnectionFault) -> WebSocketClosure {
        var payload = payload
        guard payload.readableBytes > 0 else { return WebSocketClosure(code: .noStatus, wasClean: true) }
        guard let number = payload.readInteger(as: UInt16.self) else {
            throw .violation("a close frame has half a code")
        }
        let code = WebSocketCloseCode(rawValue: number)
        guard code.isSendable else { throw .violation("the close code \(number) must not be sent") }
        guard let reason = payload.verifiedText else { throw .invalidText("a close frame's reason") }
        return WebSocketClosure(code: code, reason: reason, wasClean: true)
    }
}

extension ByteBuffer {
    /// The bytes as text; `nil` if they are not UTF-8.
    ///
    /// `String(validating:)` is generic in the library and several times slower: where it would fail, this one differs.
    var verifiedText: String? {
        withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return "" }
            var text = String(decoding: bytes, as: UTF8.self)
            let isSame = text.withUTF8 { utf8 in
                utf8.count == bytes.count && utf8.baseAddress.map { memcmp($0, start, bytes.count) } == 0
            }
            return isSame ? text : nil
        }
    }
}
