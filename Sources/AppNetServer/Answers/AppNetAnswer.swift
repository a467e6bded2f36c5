internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// What a route answers, before it becomes bytes.
struct AppNetAnswer: Sendable {
    enum Content: Sendable {
        /// The envelope's `data`.
        case data(JSONValue)
        /// A JSON document without an envelope, as the token endpoint answers.
        case bare(JSONValue)
        /// No body.
        case none
        /// A whole answer of another kind: a file, a page, a stream.
        case reply(ServerReply)
    }

    var status: HTTPResponse.Status = .ok
    var content: Content
    /// The envelope's `meta`, but for `code`, which is always there.
    var meta: JSONObject = [:]
    var fields: HTTPFields = [:]
    /// Whether the answer is a page of a list, and whether more follows in the direction of travel.
    var hasMore: Bool?

    static func data(_ data: JSONValue) -> Self { Self(content: .data(data)) }

    static func bare(_ status: HTTPResponse.Status = .ok, _ document: JSONValue) -> Self {
        Self(status: status, content: .bare(document))
    }

    static var noContent: Self { Self(status: .noContent, content: .none) }

    static func reply(_ reply: ServerReply) -> Self { Self(status: reply.status, content: .reply(reply)) }

    /// An endless JSON response.
    static func stream(_ stream: ReplyStream) -> Self {
        var reply = ServerReply(status: .ok)
        reply.fields[.contentType] = "application/json"
        reply.stream = stream
        return .reply(reply)
    }

    /// The answer, which must not be cached: it has credentials (RFC 6749, section 5.1).
    var uncached: Self {
        var answer = self
        answer.fields[.cacheControl] = "no-store"
        return answer
    }

    /// 302 to a URL.
    static func redirect(_ url: String) -> Self {
        var answer = Self(status: .found, content: .none)
        answer.fields[.location] = url
        return answer
    }
}
