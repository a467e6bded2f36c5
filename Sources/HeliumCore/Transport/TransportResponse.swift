public import HeliumEssentials

/// What a transport brings back.
public struct TransportResponse: Sendable {
    /// The body: all of it, or the stream it comes in.
    public enum Body: Sendable {
        /// The whole body, decompressed.
        case collected(Data)
        /// The body as it arrives, decompressed; its failures are ``TransportFailure``s.
        case stream(BodyStream)
    }

    /// Status and fields.
    public var head: ResponseHead

    /// The body.
    public var body: Body

    /// Where the time went; of a stream, until its head was there.
    public var timings: TransferTimings

    /// An answer.
    public init(head: ResponseHead, body: Body, timings: TransferTimings = TransferTimings()) {
        self.head = head
        self.body = body
        self.timings = timings
    }

    /// The whole body; `nil` while it streams.
    package var collectedBody: Data? {
        if case .collected(let data) = body { return data }
        return nil
    }
}
