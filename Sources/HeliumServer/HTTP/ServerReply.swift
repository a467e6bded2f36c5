internal import HTTPTypes

/// An answer before compression, validators and transport faults are applied.
struct ServerReply: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields = [:]
    var body: [UInt8] = []

    /// A document of JSON.
    static func json(_ status: HTTPResponse.Status, _ document: JSONTree) -> Self {
        var reply = Self(status: status, body: Array(document.text.utf8))
        reply.fields[.contentType] = "application/json; charset=utf-8"
        return reply
    }

    /// Text of another kind.
    static func text(_ status: HTTPResponse.Status, _ text: String, type: String) -> Self {
        var reply = Self(status: status, body: Array(text.utf8))
        reply.fields[.contentType] = type
        return reply
    }
}
