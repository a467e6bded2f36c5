/// Why a transport could not bring an answer back, and how far the request got.
public struct TransportFailure: Error, Sendable {
    /// What went wrong.
    public var kind: FailureKind

    /// How far the request got, by the transport's own observation.
    public var delivery: DeliveryState

    /// One sentence for people: no URL, no field values.
    public var message: String

    /// The phase whose time ran out.
    public var phase: TransferPhase?

    /// The ceiling that was passed.
    public var ceiling: Ceiling?

    /// The transport's own code, for example libcurl's `CURLcode`.
    public var code: Int?

    /// Where the time went until the failure.
    public var timings: TransferTimings

    /// The error beneath, where there is one: what the source of a request's body threw.
    public var underlying: (any Error)?

    /// A failure.
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
