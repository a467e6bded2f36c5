package import HTTPTypes
package import HeliumJSON

/// An answer before compression, validators and transport faults are applied.
package struct ServerReply: Sendable {
    package var status: HTTPResponse.Status
    package var fields: HTTPFields = [:]
    package var body: [UInt8]
    /// What is sent instead of ``body`` for as long as it goes on; such an answer is neither compressed nor validated.
    package var stream: ReplyStream?

    package init(status: HTTPResponse.Status, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// A document of JSON.
    package static func json(_ status: HTTPResponse.Status, _ document: JSONValue) -> Self {
        .text(status, document.text(), type: "application/json; charset=utf-8")
    }

    /// A page of HTML, as a proxy before the server would answer.
    package static var unauthorizedPage: Self {
        let page = "<!DOCTYPE html><html><head><title>401</title></head><body>Authorization required</body></html>\n"
        return .text(.unauthorized, page, type: "text/html; charset=utf-8")
    }

    /// Sets header fields, in the place of earlier ones of the same names.
    package mutating func set(_ fields: HTTPFields) {
        for field in fields { self.fields[field.name] = field.value }
    }

    /// The response to a preflight of browsers.
    package static func preflight(methods: String, headers: String) -> Self {
        var reply = Self(status: .noContent)
        reply.fields[.accessControlAllowMethods] = methods
        reply.fields[.accessControlAllowHeaders] = headers
        reply.fields[.accessControlMaxAge] = "86400"
        return reply
    }

    /// Text of another kind.
    package static func text(_ status: HTTPResponse.Status, _ text: String, type: String) -> Self {
        var reply = Self(status: status, body: Array(text.utf8))
        reply.fields[.contentType] = type
        return reply
    }
}
