/// A call whose every part is checked: nothing but the credential is missing.
package struct PreparedRequest: Sendable {
    package var request: TransportRequest
    package var acceptableStatusCodes: Range<Int>

    var summary: RequestSummary { RequestSummary(method: request.method, url: request.url.redacted) }
}
