internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The documents of the middleware's responses (Docs/Protocols/Middleware.md §5.1).
enum Envelope {
    /// Returns `{"status":200,"response":…}`. `response` is left out if JavaScript would treat it as false.
    static func success(_ response: JSONValue?) -> ServerReply {
        var members: JSONObject = ["status": 200]
        if let response, !response.isFalsy { members["response"] = response }
        return .json(.ok, .object(members))
    }

    /// Returns `{"status":…,"errors":[…]}`.
    static func failure(_ status: HTTPResponse.Status, _ errors: [JSONValue]) -> ServerReply {
        .json(status, ["status": .count(status.code), "errors": .array(errors)])
    }

    /// Returns one error with a code and a message.
    static func failure(_ status: HTTPResponse.Status, code: String, _ message: String) -> ServerReply {
        failure(status, [["code": .string(code), "msg": .string(message)]])
    }

    /// Returns one error object without members, as the reference server sends for unknown routes, other clients'
    /// devices and exceptions.
    static func emptyFailure(_ status: HTTPResponse.Status) -> ServerReply { failure(status, [[:]]) }

    /// Returns the response of the reference server before a route runs: the default code of the status.
    static func parserFailure(_ status: HTTPResponse.Status) -> ServerReply {
        status == .badRequest
            ? failure(status, code: "BadRequest", "Bad request")
            : failure(status, code: "InternalServerError", "The body cannot be processed")
    }
}
