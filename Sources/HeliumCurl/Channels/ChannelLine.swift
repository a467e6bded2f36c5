import HeliumCore

/// The calls that move a channel's bytes: those of a socket, of TLS on a socket, or of a test. No call waits.
protocol ChannelLine: AnyObject {
    /// The facts of the connection.
    var facts: ChannelFacts { get }

    /// Whether the calls are the socket's own. Then fewer bytes than asked for mean that no more have arrived, or that no
    /// more are accepted, and reading and writing do not wait for each other. Under TLS each call may move a record only,
    /// and may wait for the other direction.
    var isSocket: Bool { get }

    /// Whether bytes of the peer had arrived when the connection was made, and were not read.
    var hasEarlyBytes: Bool { get }

    /// The reason why the connection can't be used, if that was known when it was made: the peer had ended it without a byte, or
    /// reading has failed.
    var earlyEnd: TransportFailure? { get }

    /// Reads into `memory`, which is not empty.
    func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead

    /// Writes the beginning of `bytes`, which are not empty.
    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite

    /// Writes the beginning of `bytes` and of `more`, which are not empty, as if they were one block. The default copies
    /// both for a socket, and writes of `bytes` only for any other line.
    func write(_ bytes: UnsafeRawBufferPointer, then more: UnsafeRawBufferPointer) -> ChannelWrite

    /// Returns the error that the system has reported for the connection, once; `nil` if there is none. It is asked for when
    /// nothing is read any more, because the peer has ended its direction.
    func takeError() -> TransportFailure?

    /// Ends the direction to the peer. Returns `false` if the line can only be ended as a whole.
    func endWriting() -> Bool

    /// Ends the connection, under TLS with close_notify.
    func close()
}

extension ChannelLine {
    func write(_ bytes: UnsafeRawBufferPointer, then more: UnsafeRawBufferPointer) -> ChannelWrite {
        // A socket that accepts less than it was offered is not written to before it reports room.
        guard isSocket else { return write(bytes) }
        return (Array(bytes) + Array(more)).withUnsafeBytes { write($0) }
    }
}

/// The result of reading from a line.
enum ChannelRead {
    case bytes(Int)
    /// Nothing has arrived.
    case nothing
    /// The peer has ended its direction; `isOrderly` is whether it has said so where its protocol can.
    case end(isOrderly: Bool)
    case failed(TransportFailure)
}

/// The result of writing to a line.
enum ChannelWrite {
    case bytes(Int)
    /// The system accepts nothing for now.
    case nothing
    case failed(TransportFailure)
}
