internal import HTTPTypes
package import HeliumEssentials

/// A request and its acceptable response, with the attempts that led to it.
package struct Exchange: Sendable {
    package let prepared: PreparedRequest
    package let response: TransportResponse
    /// The final URL, after redirects.
    package let url: RequestURL
    package let attempts: [AttemptRecord]
    /// The deadline of the call, which includes decoding its response.
    package let deadline: Deadline

    /// The collected body; empty if the body is a stream.
    package var body: Data { response.collectedBody ?? Data() }

    /// The collected body's size in bytes.
    var bodySize: Int {
        if case .collected(let data) = response.body { return data.count }
        return 0
    }

    /// Whether the response has no body, either by definition (RFC 9110 §9.3.2, §15.3.5, §15.3.6) or because it is
    /// empty.
    var isEmpty: Bool {
        prepared.request.method == .head || response.head.status == 204 || response.head.status == 205 || body.isEmpty
    }
}
