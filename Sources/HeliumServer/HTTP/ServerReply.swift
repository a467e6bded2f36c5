internal import HTTPTypes
internal import HeliumJSON

/// An answer before compression, validators and transport faults are applied.
struct ServerReply: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields = [:]
    var body: [UInt8] = []
    /// What is sent instead of ``body`` for as long as it goes on; such an answer is neither compressed nor validated.
    var stream: ReplyStream?

    /// A document of JSON.
    static func json(_ status: HTTPResponse.Status, _ document: JSONValue) -> Self {
        var reply = Self(status: status, body: Array(document.text().utf8))
        reply.fields[.contentType] = "application/json; charset=utf-8"
        return reply
    }

    /// A page of HTML, as a proxy before the server would answer.
    static var unauthorizedPage: Self {
        let page = "<!DOCTYPE html><html><head><title>401</title></head><body>Authorization required</body></html>\n"
        return .text(.unauthorized, page, type: "text/html; charset=utf-8")
    }

    /// Text of another kind.
    static func text(_ status: HTTPResponse.Status, _ text: String, type: String) -> Self {
        var reply = Self(status: status, body: Array(text.utf8))
        reply.fields[.contentType] = type
        return reply
    }
}
