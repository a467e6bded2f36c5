internal import HTTPTypes
public import HeliumEssentials

/// Why a call failed: what, on which request, at which attempt, how far it got, and what the server said.
///
/// Neither the description nor the reflection shows a secret, a token, a credential field or a query value.
/// The async forms throw `CancellationError` for a cancelled task; the completion form reports
/// ``FailureKind/cancelled``.
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

    /// What went wrong: stable, fit for `switch` and for a metric's label.
    public var kind: FailureKind { storage.facts.kind }

    /// Method and redacted URL.
    public var request: RequestSummary { storage.facts.request }

    /// The delivery state of the call: whether sending it again can have an effect twice. The furthest of several attempts counts.
    public var delivery: DeliveryState { storage.facts.delivery }

    /// One sentence for people.
    public var message: String { storage.facts.message }

    /// The error beneath, where there is one; of a failed registration the ``HeliumError`` that tells it. The description
    /// of another library's error is not redacted by us: don't log it unseen.
    public var underlying: (any Error)? { storage.facts.underlying }

    /// All attempts in their order; empty if the call failed before the first.
    public var attempts: [AttemptRecord] { storage.facts.attempts }

    /// The status of the answer, if there was one.
    public var status: Int? { storage.facts.head?.status }

    /// The head of the answer, if there was one.
    public var head: ResponseHead? { storage.facts.head }

    /// The answer's body as it came, up to the client's ceiling: for programs, not for logs.
    public var body: Data? { storage.facts.body }

    /// The body's beginning as text: at most 1,024 bytes, known secrets masked, control characters escaped (line breaks
    /// as `\n`).
    public var bodyExcerpt: String? { storage.facts.bodyExcerpt }

    /// The errors in the response, in their order, at most ``ErrorBody/maximumErrors``; empty for a body larger than
    /// ``ErrorBody/interpretedBytes``. Their members are what the server sent: escape control characters before you show them,
    /// or show their descriptions.
    public var serverErrors: [ServerError] { storage.facts.serverErrors }

    /// With ``FailureKind/timedOut``: whose limit ran out.
    public var phase: TransferPhase? { storage.facts.phase }

    /// With ``FailureKind/ceilingExceeded``: which limit was passed.
    public var ceiling: Ceiling? { storage.facts.ceiling }

    /// With ``FailureKind/decodingFailed``: type, coding path and reason.
    public var decoding: DecodingFailure? { storage.facts.decoding }

    /// The key that makes another call the same call for the server, if the call had one.
    public var idempotencyKey: IdempotencyKey? { storage.facts.idempotencyKey }

    /// Why the last attempt was not repeated; `nil` if the call failed for a reason that no attempt could change.
    public var retryRefusal: RetryRefusal? { storage.facts.retryRefusal }

    /// The transport's own code, for example libcurl's `CURLcode`.
    public var code: Int? { storage.facts.code }
}

extension HeliumError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError, CustomReflectable {
    /// The whole story on one line: kind, request, status, phase, attempts, what the server said. Control characters are
    /// escaped, whoever they come from.
    public var description: String { PeerText.escaped(story) }

    private var story: String {
        // A configuration that can't be used has no request to tell of.
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

    /// Only what the description shows.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["kind": kind, "message": message, "request": request, "status": status as Any],
            displayStyle: .struct
        )
    }
}
