internal import HeliumEssentials

/// Assembles messages from the frames of a peer, for either side (RFC 6455 §5 and §8.1). It performs no I/O.
///
/// Payloads are consumed as they arrive, so the bytes that are left never contain more than an incomplete header. Each
/// byte of a message is copied once, and once more into the `String` if a text arrives in parts. Text that arrives in
/// parts is validated part by part, so a message fails at its first invalid byte.
package struct FrameReader {
    private let side: FrameSide
    private let maximumFrameBytes: Int
    private let maximumMessageBytes: Int
    /// The maximum number of bytes of a message that ``nextShortText(_:consumed:)`` takes; negative for a server.
    private let shortTextLimit: Int

    /// The frame in progress.
    private var frame: FrameHeader?
    /// The number of its bytes that have not arrived.
    private var missing = 0
    /// The part of the message that has arrived, if it did not arrive at once.
    private var assembly: Data?
    /// The part of the payload of the control frame in progress that has arrived, still masked.
    private var controlPayload: [UInt8] = []
    private var isText = false
    /// Whether a fragmented message is in progress.
    private var isFragmented = false
    private var text = UTF8Check()
    /// The maximum amount of memory that is reserved for a message before its bytes arrive.
    private static let reserveLimit = 64 << 10

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - side: The side that reads.
    ///   - maximumFrameBytes: The maximum number of payload bytes of one frame. Less than 0 is 0.
    ///   - maximumMessageBytes: The maximum number of payload bytes of one message with all its fragments. Less than 0
    ///     is 0.
    package init(for side: FrameSide, maximumFrameBytes: Int, maximumMessageBytes: Int) {
        self.side = side
        self.maximumFrameBytes = max(0, maximumFrameBytes)
        self.maximumMessageBytes = max(0, maximumMessageBytes)
        shortTextLimit = side == .client ? min(125, self.maximumFrameBytes, self.maximumMessageBytes) : -1
    }

    /// Whether a message or a control frame has begun and is not complete. An incomplete header does not count; its
    /// bytes are not consumed.
    package var isWithinMessage: Bool { frame != nil || isFragmented }

    /// Takes the next message or control frame from `bytes`. Returns `nil` if more bytes are needed.
    ///
    /// After `nil`, at most 13 bytes are not consumed: an incomplete header, which the next call expects again,
    /// followed by more bytes.
    ///
    /// - Parameters:
    ///   - bytes: Received bytes.
    ///   - consumed: The number of bytes at the beginning of `bytes` that have been consumed. The reader begins after
    ///     them, and adds the number of bytes that it takes.
    /// - Throws: ``FrameFault``, after which nothing more can be read.
    package mutating func next(_ bytes: RawSpan, consumed: inout Int) throws(FrameFault) -> FrameEvent? {
        if let text = nextShortText(bytes, consumed: &consumed) { return .text(text, byteCount: text.utf8.count) }
        while true {
            if let frame {
                if let event = try takePayload(of: frame, from: bytes, &consumed) { return event }
                // The rest of the frame has not arrived, unless it was a fragment.
                if self.frame != nil { return nil }
            }
            let header = try FrameHeader(bytes, consumed: &consumed, for: side, maximumLength: maximumFrameBytes)
            guard let header else { return nil }
            try begin(header)
        }
    }

    private mutating func begin(_ header: FrameHeader) throws(FrameFault) {
        if header.opcode.isControl {
            controlPayload.reserveCapacity(header.length)
        } else {
            try beginData(header)
        }
        missing = header.length
        frame = header
    }

    /// Consumes the part of a frame's payload that has arrived.
    ///
    /// - Returns: The message or control frame that is complete with it.
    private mutating func takePayload(
        of frame: FrameHeader,
        from bytes: RawSpan,
        _ consumed: inout Int
    ) throws(FrameFault) -> FrameEvent? {
        let end = consumed + min(missing, bytes.byteCount - consumed)
        let part = bytes.extracting(consumed..<end)
        consumed = end
        return frame.opcode.isControl ? try takeControl(part, of: frame) : try takeData(part, of: frame)
    }
}

// MARK: Data

extension FrameReader {
    /// Takes a text message from the server that is one frame of at most 125 bytes and has arrived completely. Most
    /// messages are like that. Returns `nil` and takes nothing for any other frame, and for a frame with a fault.
    ///
    /// ``next(_:consumed:)`` does the same first. A text alone is returned without the cost of an event. It changes
    /// nothing, and is mutating only because otherwise the reader would be copied for each call.
    package mutating func nextShortText(_ bytes: RawSpan, consumed: inout Int) -> String? {
        guard frame == nil, !isFragmented else { return nil }
        let room = bytes.byteCount - consumed - 2
        guard room >= 0 else { return nil }
        let head = UInt16(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: consumed, as: UInt16.self))
        // A final text frame that is not masked, so its second byte is its length.
        let length = Int(head >> 8)
        guard head & 0xFF == 0x81, length <= min(shortTextLimit, room) else { return nil }
        let start = consumed + 2
        // Both bounds were checked: the load ends at `start`, and `room` bytes follow.
        let payload = bytes.extracting(unchecked: start..<(start + length))
        guard let text = payload.verifiedText else { return nil }
        consumed = start + length
        return text
    }

    private mutating func beginData(_ header: FrameHeader) throws(FrameFault) {
        if header.opcode == .continuation {
            guard isFragmented else { throw .violation("a continuation frame without a message to continue") }
        } else {
            guard !isFragmented else { throw .violation("a new message begins before the previous one has ended") }
            isText = header.opcode == .text
            text = UTF8Check()
        }
        guard header.length <= maximumMessageBytes - (assembly?.count ?? 0) else {
            throw .messageTooBig(limit: maximumMessageBytes)
        }
        isFragmented = !header.isFinal
    }

    /// Takes a part of a data frame.
    ///
    /// - Returns: The message, if the frame was its last and is complete.
    private mutating func takeData(_ part: RawSpan, of frame: FrameHeader) throws(FrameFault) -> FrameEvent? {
        if assembly == nil, frame.isFinal, part.byteCount == missing {
            self.frame = nil
            return try message(part, frame.key)
        }
        try append(part, of: frame)
        guard missing == 0 else { return nil }
        self.frame = nil
        guard frame.isFinal, let message = assembly.take() else { return nil }
        guard isText else { return .binary(message) }
        guard text.isComplete else { throw .invalidText("a text message") }
        return .text(message.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, byteCount: message.count)
    }

    private mutating func append(_ part: RawSpan, of frame: FrameHeader) throws(FrameFault) {
        let count = part.byteCount
        guard count > 0 else { return }
        var assembly = self.assembly.take() ?? Data(capacity: min(frame.length, max(count, Self.reserveLimit)))
        part.withUnsafeBytes { assembly.append($0) }
        let key = FrameMask.key(frame.key, at: frame.length - missing)
        missing -= count
        let isValid = assembly.withUnsafeMutableBytes { bytes in
            let new = UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(count))
            FrameMask.apply(key, to: new)
            return !isText || text.take(UnsafeRawBufferPointer(new))
        }
        guard isValid else { throw .invalidText("a text message") }
        self.assembly = assembly
    }

    /// Returns the message that has arrived at once.
    private func message(_ payload: RawSpan, _ key: UInt32) throws(FrameFault) -> FrameEvent {
        guard isText else {
            var data = Data()
            payload.withUnsafeBytes { data.append($0) }
            if key != 0 { data.withUnsafeMutableBytes { FrameMask.apply(key, to: $0) } }
            return .binary(data)
        }
        let text = key == 0 ? payload.verifiedText : Self.unmaskedText(payload, key)
        guard let text else { throw .invalidText("a text message") }
        return .text(text, byteCount: payload.byteCount)
    }

    /// Returns the text of a masked payload; `nil` if it is not UTF-8.
    private static func unmaskedText(_ payload: RawSpan, _ key: UInt32) -> String? {
        var isValid = true
        let text = payload.withUnsafeBytes { payload in
            String(unsafeUninitializedCapacity: payload.count) { target in
                let target = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(target)[..<payload.count]
                )
                FrameMask.apply(key, to: payload, into: target)
                var check = UTF8Check()
                isValid = check.take(UnsafeRawBufferPointer(target)) && check.isComplete
                return isValid ? payload.count : 0
            }
        }
        return isValid ? text : nil
    }
}

extension Data {
    /// Appends bytes, which the generic method of sequences would do less directly.
    fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }
}

// MARK: Control frames

extension FrameReader {
    private mutating func takeControl(_ part: RawSpan, of frame: FrameHeader) throws(FrameFault) -> FrameEvent? {
        part.withUnsafeBytes { controlPayload.append(contentsOf: $0) }
        missing -= part.byteCount
        guard missing == 0 else { return nil }
        self.frame = nil
        var payload = controlPayload
        controlPayload = []
        payload.withUnsafeMutableBytes { FrameMask.apply(frame.key, to: $0) }
        switch frame.opcode {
        case .ping: return .ping(payload)
        case .close: return try Self.close(payload)
        default: return .pong
        }
    }

    private static func close(_ payload: [UInt8]) throws(FrameFault) -> FrameEvent {
        guard let first = payload.first else { return .close(code: nil, reason: "") }
        guard payload.count >= 2 else { throw .violation("a close frame has an incomplete code") }
        let code = UInt16(first) << 8 | UInt16(payload[1])
        guard CloseCode.isSendable(code) else { throw .violation("the close code \(code) must not be sent") }
        let reason = payload.withUnsafeBytes { $0.bytes.extracting(2...).verifiedText }
        guard let reason else { throw .invalidText("a close frame's reason") }
        return .close(code: code, reason: reason)
    }
}
