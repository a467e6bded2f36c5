internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The documents that every answer of the middleware comes in (§5.1).
enum Envelope {
    /// `{"status":200,"response":…}`; `response` is left out where JavaScript would take it for false.
    static func success(_ response: JSONValue?) -> ServerReply {
        var members: JSONObject = ["status": 200]
        if let response, !response.isFalsy { members["response"] = response }
        return .json(.ok, .object(members))
    }

    /// `{"status":…,"errors":[…]}`.
    static func failure(_ status: HTTPResponse.Status, _ errors: [JSONValue]) -> ServerReply {
        .json(status, ["status": .count(status.code), "errors": .array(errors)])
    }

    /// One error with a code and a text.
    static func failure(_ status: HTTPResponse.Status, code: String, _ message: String) -> ServerReply {
        failure(status, [["code": .string(code), "msg": .string(message)]])
    }

    /// One error object without members, as the reference sends for unknown routes, foreign devices and exceptions.
    static func emptyFailure(_ status: HTTPResponse.Status) -> ServerReply { failure(status, [[:]]) }

    /// What the reference answers before any route runs: the default code of the status.
    static func parserFailure(_ status: HTTPResponse.Status) -> ServerReply {
        status == .badRequest
            ? failure(status, code: "BadRequest", "Bad request")
            : failure(status, code: "InternalServerError", "The body cannot be processed")
    }
}
