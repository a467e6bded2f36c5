internal import HeliumEssentials

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

    /// The transport's own error code: for a connection that could not be made, libcurl's `CURLcode`. `nil` for most
    /// other failures.
    public var code: Int?

    /// The timings up to the failure.
    public var timings: TransferTimings

    /// The underlying error, if there is one: the error of a request body's source.
    public var underlying: (any Error)?

    /// The response as far as it was received: its complete head, and the beginning of its body as
    /// ``TransportResponse/Body/collected(_:)``. `nil` if the transfer ended before the header section was complete.
    ///
    /// The client acts on an error status and on a redirect even if the body can't be read.
    public var response: TransportResponse?

    /// The way in which the transport would have sent the request again at once, if it could still read its body from the
    /// beginning. `nil` if it would not have.
    package var repetition: Repetition?

    package enum Repetition: Sendable { case again, overHTTP1 }

    /// Creates a failure.
    public init(
        _ kind: FailureKind,
        delivery: DeliveryState,
        message: String,
        phase: TransferPhase? = nil,
        ceiling: Ceiling? = nil,
        code: Int? = nil,
        timings: TransferTimings = TransferTimings(),
        underlying: (any Error)? = nil,
        response: TransportResponse? = nil
    ) {
        self.kind = kind
        self.delivery = delivery
        self.message = message
        self.phase = phase
        self.ceiling = ceiling
        self.code = code
        self.timings = timings
        self.underlying = underlying
        self.response = response
    }
}

extension TransportFailure {
    /// The maximum number of bytes of a body that are kept in ``response``, and of a failed response's streamed body.
    package static let keptBodyBytes = 64 << 10

    /// Returns the failure with the response that it ended.
    ///
    /// - Parameter partial: The response with the received part of its body, of which at most ``keptBodyBytes`` are kept.
    package func ending(_ partial: TransportResponse) -> Self {
        var failure = self
        failure.response = partial
        if let received = partial.collectedBody, received.count > Self.keptBodyBytes {
            failure.response?.body = .collected(Data(received.prefix(Self.keptBodyBytes)))
        }
        return failure
    }

    /// The response that a caller can act on although its body is incomplete; `nil` if the caller itself or the
    /// client's closing ended the transfer.
    package var interruptedResponse: TransportResponse? {
        kind == .cancelled || kind == .clientClosed ? nil : response
    }
}
