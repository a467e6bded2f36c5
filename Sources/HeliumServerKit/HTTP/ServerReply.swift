package import HTTPTypes
package import HeliumJSON

/// A response before compression, validators and transport faults are applied.
package struct ServerReply: Sendable {
    package var status: HTTPResponse.Status
    package var fields: HTTPFields = [:]
    package var body: [UInt8]
    /// The stream that is sent instead of ``body``; `nil` for a complete body. A streamed response has no compression
    /// and no validators.
    package var stream: ReplyStream?

    package init(status: HTTPResponse.Status, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Creates a response with a JSON document.
    package static func json(_ status: HTTPResponse.Status, _ document: JSONValue) -> Self {
        .text(status, document.text(), type: "application/json; charset=utf-8")
    }

    /// A 401 response with an HTML page, as from a proxy in front of the server.
    package static var unauthorizedPage: Self {
        let page = "<!DOCTYPE html><html><head><title>401</title></head><body>Authorization required</body></html>\n"
        return .text(.unauthorized, page, type: "text/html; charset=utf-8")
    }

    /// Sets header fields. They replace earlier fields with the same names.
    package mutating func set(_ fields: HTTPFields) {
        for field in fields { self.fields[field.name] = field.value }
    }

    /// Creates the response to a preflight request of a browser.
    package static func preflight(methods: String, headers: String) -> Self {
        var reply = Self(status: .noContent)
        reply.fields[.accessControlAllowMethods] = methods
        reply.fields[.accessControlAllowHeaders] = headers
        reply.fields[.accessControlMaxAge] = "86400"
        return reply
    }

    /// Creates a response with text of any media type.
    package static func text(_ status: HTTPResponse.Status, _ text: String, type: String) -> Self {
        var reply = Self(status: status, body: Array(text.utf8))
        reply.fields[.contentType] = type
        return reply
    }
}
