internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// A result with the endpoint's information about the call. It is encoded in App.net's or pnut's format.
struct AppNetReply: Sendable {
    var answer: AppNetResponse
    /// The failure; `nil` for a success.
    var failure: AppNetFailure?
    /// The header fields for the scopes and rate limits of the call.
    var fields: HTTPFields = [:]
    /// Whether the call had a token.
    var hasToken = false
}

extension AppNetReply {
    /// Returns the envelope of a failure (Docs/Protocols/AppNet.md §1.5).
    static func refusal(_ failure: AppNetFailure, errorID: String) -> Self {
        var meta: JSONObject = ["error_message": .string(failure.message), "error_id": .string(errorID)]
        if let slug = failure.slug { meta["error_slug"] = .string(slug) }
        var answer = AppNetResponse(status: failure.status, content: .none, meta: meta)
        if !failure.allowed.isEmpty { answer.fields[.allow] = failure.allowed.joined(separator: ",") }
        if let seconds = failure.retryAfter { answer.fields[.retryAfter] = String(seconds) }
        return Self(answer: answer, failure: failure)
    }
}

/// Encodes responses in App.net's format: envelope, JSONP, indentation and header fields.
enum AppNetEnvelope {
    static func reply(_ reply: AppNetReply, to request: AppNetRequest) -> ServerReply {
        let answer = reply.answer
        if case .reply(var whole) = answer.content {
            whole.set(answer.fields)
            // Streams are also responses to calls with a token.
            if let scopes = reply.fields[.oauthScopes] { whole.fields[.oauthScopes] = scopes }
            return whole
        }
        let isPretty = request.fields[.prettyJSON] != nil
        var result = ServerReply(status: answer.status)
        if let document = document(of: reply) {
            let text = isPretty ? document.prettyText : document.text()
            result = .text(answer.status, text, type: "application/json")
            if request.area == .api, request.method == .get || request.method == .head, !reply.hasToken,
                let callback = request.parameters["callback"], isName(callback)
            {
                result = .text(.ok, "\(callback)(\(text))", type: "text/javascript; charset=utf-8")
            }
        }
        result.set(reply.fields)
        result.set(answer.fields)
        return result
    }

    /// Returns the JSON document of a response; `nil` if it has none.
    static func document(of reply: AppNetReply) -> JSONValue? {
        let answer = reply.answer
        let meta: JSONObject = ["code": .count(answer.status.code)] + answer.meta
        return switch answer.content {
        case .data(let data): ["meta": .object(meta), "data": data]
        case .bare(let document): document
        case .none: reply.failure == nil ? nil : ["meta": .object(meta)]
        case .reply: nil
        }
    }

    /// Returns whether a callback is the name of a function, including members of objects. Other text could let a link
    /// run code.
    private static func isName(_ callback: String) -> Bool {
        callback.utf8.count <= 128 && callback.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$.]*/) != nil
    }
}

extension HTTPField.Name {
    static let prettyJSON = Self.known("X-ADN-Pretty-JSON")
    static let oauthScopes = Self.known("X-OAuth-Scopes")
    static let migrations = Self.known("X-ADN-Migrations-Enabled")
    static let rateLimit = Self.known("X-RateLimit-Limit")
    static let rateRemaining = Self.known("X-RateLimit-Remaining")
    static let rateReset = Self.known("X-RateLimit-Reset")
}
