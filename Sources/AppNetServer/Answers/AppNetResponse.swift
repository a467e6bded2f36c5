internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The result of a route before it is encoded.
struct AppNetResponse: Sendable {
    enum Content: Sendable {
        /// The `data` member of the envelope.
        case data(JSONValue)
        /// A JSON document without an envelope, as the token endpoint returns.
        case bare(JSONValue)
        /// No body.
        case none
        /// A complete response of another kind: a file, a page or a stream.
        case reply(ServerReply)
    }

    var status: HTTPResponse.Status = .ok
    var content: Content
    /// The members of the envelope's `meta`, except `code`, which is always added.
    var meta: JSONObject = [:]
    var fields: HTTPFields = [:]
    /// Whether more items follow in the direction of paging; `nil` if the response is not a page of a list.
    var hasMore: Bool?

    static func data(_ data: JSONValue) -> Self { Self(content: .data(data)) }

    /// Creates the response with an object.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if `object` is `nil`, because the caller may not see it.
    static func object(_ object: JSONValue?) throws(AppNetFailure) -> Self { .data(try require(object, or: .notFound)) }

    static func bare(_ status: HTTPResponse.Status = .ok, _ document: JSONValue) -> Self {
        Self(status: status, content: .bare(document))
    }

    static var noContent: Self { Self(status: .noContent, content: .none) }

    static func reply(_ reply: ServerReply) -> Self { Self(status: reply.status, content: .reply(reply)) }

    /// Creates a JSON response without an end.
    static func stream(_ stream: ReplyStream) -> Self {
        var reply = ServerReply(status: .ok)
        reply.fields[.contentType] = "application/json"
        reply.stream = stream
        return .reply(reply)
    }

    /// Checks the size of the response.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if it contains more than ``AnswerLimits/bytes``. Pages of lists never do,
    ///   unless their first object does.
    func checkSize() throws(AppNetFailure) {
        guard hasMore == nil, case .data(let data) = content else { return }
        try require(
            data.approximateBytes <= AnswerLimits.bytes,
            "The response would have more than \(AnswerLimits.bytes) bytes. Request fewer objects."
        )
    }

    /// The response with `no-store`, because it contains credentials (RFC 6749 §5.1).
    var uncached: Self {
        var answer = self
        answer.fields[.cacheControl] = "no-store"
        return answer
    }

    /// Creates a redirect to a URL with status 302.
    static func redirect(_ url: String) -> Self {
        var answer = Self(status: .found, content: .none)
        answer.fields[.location] = url
        return answer
    }
}
