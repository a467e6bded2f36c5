internal import HTTPTypes
package import HeliumEssentials

/// A request and its acceptable answer, with all that led to it.
package struct Exchange: Sendable {
    package let prepared: PreparedRequest
    package let response: TransportResponse
    /// What was asked in the end, after redirects.
    package let url: RequestURL
    package let attempts: [AttemptRecord]
    /// By when the call must be over, the reading of its answer included.
    package let deadline: Deadline

    /// The collected body; empty while it streams.
    package var body: Data { response.collectedBody ?? Data() }

    /// The collected body's size in bytes.
    var bodySize: Int {
        if case .collected(let data) = response.body { return data.count }
        return 0
    }

    /// Whether the answer has no body by its nature (RFC 9110 sections 9.3.2, 15.3.5, 15.3.6) or by fact.
    var isEmpty: Bool {
        prepared.request.method == .head || response.head.status == 204 || response.head.status == 205 || body.isEmpty
    }
}
