/// The failure of a transfer without a usable response, with the delivery state of the request.
public struct TransportFailure: Error, Sendable {
    /// The kind of the failure.
    public var kind: FailureKind

    /// The delivery state of the request, as observed by the transport.
    public var delivery: DeliveryState

    /// One sentence that describes the failure, without URLs or field values.
    public var message: String

    /// The phase whose time limit expired.
    public var phase: TransferPhase?

    /// The limit that was exceeded.
    public var ceiling: Ceiling?

    /// The transport's own error code, for example libcurl's `CURLcode`.
    public var code: Int?

    /// The timings up to the failure.
    public var timings: TransferTimings

    /// The underlying error, if there is one: the error of a request body's source.
    public var underlying: (any Error)?

    /// Creates a failure.
    public init(
        _ kind: FailureKind,
        delivery: DeliveryState,
        message: String,
        phase: TransferPhase? = nil,
        ceiling: Ceiling? = nil,
        code: Int? = nil,
        timings: TransferTimings = TransferTimings(),
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.delivery = delivery
        self.message = message
        self.phase = phase
        self.ceiling = ceiling
        self.code = code
        self.timings = timings
        self.underlying = underlying
    }
}
