internal import HTTPTypes
public import HeliumEssentials

/// The failure of a call, with its kind, request, attempts, delivery state and the server's response.
///
/// The description and the reflection show no secret, token, credential field or query value. The async forms throw
/// `CancellationError` for a cancelled task; the completion form reports ``FailureKind/cancelled``.
public struct HeliumError: Error, Sendable {
    // One reference, so that passing a `Result` around copies a word.
    private var storage: Storage

    package init(
        _ kind: FailureKind,
        request: RequestSummary,
        delivery: DeliveryState,
        message: String,
        underlying: (any Error)? = nil
    ) {
        storage = Storage(
            facts: Facts(kind: kind, request: request, delivery: delivery, message: message, underlying: underlying)
        )
    }

    package subscript<Value>(fact path: WritableKeyPath<Facts, Value>) -> Value {
        get { storage.facts[keyPath: path] }
        set {
            var facts = storage.facts
            facts[keyPath: path] = newValue
            storage = Storage(facts: facts)
        }
    }
}

extension HeliumError {
    package struct Facts: Sendable {
        package var kind: FailureKind
        package var request: RequestSummary
        package var delivery: DeliveryState
        package var message: String
        package var underlying: (any Error)?
        package var attempts: [AttemptRecord] = []
        package var head: ResponseHead?
        package var body: Data?
        package var bodyExcerpt: String?
        package var serverErrors: [ServerError] = []
        package var errorBody: ErrorBody?
        package var phase: TransferPhase?
        package var ceiling: Ceiling?
        package var decoding: DecodingFailure?
        package var code: Int?
        package var idempotencyKey: IdempotencyKey?
        package var retryRefusal: RetryRefusal?
        package var timings = TransferTimings()
    }

    private final class Storage: Sendable {
        let facts: Facts
        init(facts: Facts) { self.facts = facts }
    }

    /// The kind of the failure. It is stable and suitable for `switch` and as a label of a metric.
    public var kind: FailureKind { storage.facts.kind }

    /// The method and the redacted URL.
    public var request: RequestSummary { storage.facts.request }

    /// The delivery state of the call, which shows whether sending it again can have an effect twice. It is the
    /// furthest of all attempts.
    public var delivery: DeliveryState { storage.facts.delivery }

    /// One sentence that describes the failure.
    public var message: String { storage.facts.message }

    /// The underlying error, if there is one. For a failed registration it is the ``HeliumError`` of the registration.
    /// The description of another library's error is not redacted, so check it before you log it.
    public var underlying: (any Error)? { storage.facts.underlying }

    /// All attempts in order; empty if the call failed before the first.
    public var attempts: [AttemptRecord] { storage.facts.attempts }

    /// The status of the response; `nil` if there was none.
    public var status: Int? { storage.facts.head?.status }

    /// The head of the response; `nil` if there was none.
    public var head: ResponseHead? { storage.facts.head }

    /// The unmodified response body, up to the client's size limit. Do not log it, because it is not redacted.
    public var body: Data? { storage.facts.body }

    /// The beginning of the body as text: at most 1,024 bytes, with known secrets masked and control characters escaped
    /// (line breaks as `\n`).
    public var bodyExcerpt: String? { storage.facts.bodyExcerpt }

    /// The errors in the response, in order, at most 100; empty for a body larger than 64 KiB. The server may send any
    /// text in their members. Escape control characters before you show them, or show the errors' descriptions.
    public var serverErrors: [ServerError] { storage.facts.serverErrors }

    /// The phase whose time limit expired, for ``FailureKind/timedOut``.
    public var phase: TransferPhase? { storage.facts.phase }

    /// The limit that was exceeded, for ``FailureKind/ceilingExceeded``.
    public var ceiling: Ceiling? { storage.facts.ceiling }

    /// The type, coding path and reason, for ``FailureKind/decodingFailed``.
    public var decoding: DecodingFailure? { storage.facts.decoding }

    /// The call's idempotency key; `nil` if it had none. The server treats another call with the same key as the same
    /// call.
    public var idempotencyKey: IdempotencyKey? { storage.facts.idempotencyKey }

    /// The reason why the last attempt was not repeated; `nil` if no further attempt could have changed the failure.
    public var retryRefusal: RetryRefusal? { storage.facts.retryRefusal }

    /// The transport's own error code: for a connection that could not be made, libcurl's `CURLcode`. `nil` for most
    /// other failures.
    public var code: Int? { storage.facts.code }
}

extension HeliumError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError, CustomReflectable {
    /// A one-line description: kind, request, status, phase, attempts and the server's errors. All control characters
    /// are escaped.
    public var description: String { PeerText.escaped(story) }

    private var story: String {
        // An invalid configuration has no request to describe.
        if kind == .invalidConfiguration { return "\(kind): \(message)" }
        var text = "\(kind): \(message) [\(request)"
        if let status { text += ", status \(status)" }
        if let type = head?[.contentType] { text += ", \(PeerText.shortened(type, to: 100))" }
        if let phase { text += ", phase \(phase)" }
        if let ceiling { text += ", ceiling \(ceiling)" }
        text += ", \(delivery.rawValue)"
        if attempts.count > 1 { text += ", attempts: \(attempts.map(\.description).joined(separator: "; "))" }
        if let retryRefusal, retryRefusal != .notWorthwhile { text += ", not retried: \(retryRefusal)" }
        text += "]"
        if let decoding { text += " \(decoding.place)" }
        if !serverErrors.isEmpty {
            text += " server: \(ErrorBody.list(serverErrors))"
        } else if let errorBody, errorBody.tellsMoreThanItsBytes {
            text += " server: \(errorBody)"
        } else if let bodyExcerpt, !bodyExcerpt.isEmpty {
            text += " body: \(bodyExcerpt)"
        }
        if let cause = underlying as? HeliumError { text += " cause: \(cause)" }
        return text
    }

    /// The description.
    public var debugDescription: String { description }

    /// The description.
    public var errorDescription: String? { description }

    /// The parts that the description shows.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["kind": kind, "message": message, "request": request, "status": status as Any],
            displayStyle: .struct
        )
    }
}
