internal import HeliumBytes

/// An item between the messages that a codec finds in the received bytes.
enum ControlItem {
    /// A ping, which is answered with the same bytes.
    case ping([UInt8])
    case pong
    /// The peer's close message.
    case close(WebSocketClosure)
}

/// The format of messages in a stream of bytes, in both directions. It performs no I/O.
///
/// All formats share one type of message, and no type that carries messages is generic. Methods of generic classes that
/// other modules call are not specialized, and looking up their types at run time would be the largest cost. Codecs are
/// classes, because a structure of this size would be copied out of its box each time that a property is read.
protocol MessageCodec: AnyObject {
    /// Takes messages from `bytes` until they fill `room`, another item follows, or more bytes are needed.
    ///
    /// Many small messages arrive at once, so one call takes all of them.
    ///
    /// - Parameters:
    ///   - consumed: The number of bytes at the beginning of `bytes` that have been consumed. The codec begins after
    ///     them, and adds the number of bytes that it takes. It takes all bytes but an incomplete header of a frame,
    ///     which the next call expects again, followed by more bytes.
    ///   - messages: Receives the messages, also those before a fault.
    ///   - room: The size that the queue of messages may reach. It has room for a message.
    /// - Returns: The item after the messages; `nil` if there is none, or if it was not looked for because the messages
    ///   fill `room`.
    func next(
        _ bytes: RawSpan,
        consumed: inout Int,
        messages: inout MessageQueue,
        room: MessageQueue.Room
    ) throws(ConnectionFault) -> ControlItem?

    /// Whether a message has begun and is not complete.
    var isWithinMessage: Bool { get }

    /// The maximum number of bytes by which an encoded message is longer than its contents.
    var overhead: Int { get }

    /// Writes the messages of a batch from an index to the next item of another kind, and takes them out of the batch.
    ///
    /// - Parameter index: The index of a message. Receives the index after the last message that was written.
    func writeMessages(of batch: inout [Outgoing], from index: inout Int, to out: inout ByteQueue)

    /// Writes a ping. Returns `false` if the format has none.
    func writePing(to out: inout ByteQueue) -> Bool

    func writePong(_ payload: [UInt8], to out: inout ByteQueue)

    /// Writes a close message that the peer will answer. Returns `false` if the format has none, so that the connection
    /// is just ended.
    func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteQueue) -> Bool
}
