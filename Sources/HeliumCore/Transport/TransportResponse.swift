public import HeliumEssentials

/// A response as a transport returns it.
public struct TransportResponse: Sendable {
    /// The body: complete, or as a stream.
    public enum Body: Sendable {
        /// The whole body, decompressed.
        case collected(Data)
        /// The body as it arrives, decompressed. Its failures are ``TransportFailure``s.
        case stream(BodyStream)
    }

    /// The status and the header fields.
    public var head: ResponseHead

    /// The body.
    public var body: Body

    /// The timings; for a stream, until its head has arrived.
    public var timings: TransferTimings

    /// Creates a response.
    public init(head: ResponseHead, body: Body, timings: TransferTimings = TransferTimings()) {
        self.head = head
        self.body = body
        self.timings = timings
    }

    /// The complete body; `nil` if it is a stream.
    package var collectedBody: Data? {
        if case .collected(let data) = body { return data }
        return nil
    }
}
