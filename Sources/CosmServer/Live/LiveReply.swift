internal import HeliumJSON
internal import HeliumServerKit

/// A frame from the server (Docs/Protocols/Cosm.md §14.3): an acknowledgement, a reply, a push or an error.
struct LiveReply: Sendable {
    enum Body: Sendable {
        /// JSON text that is inserted unchanged.
        case document([UInt8])
        case text(String)
    }

    var token: String?
    var resource: String?
    /// The status; `nil` for pushes.
    var status: Int?
    /// The header fields. Their names are in upper case with underscores.
    var headers: JSONObject?
    var body: Body?

    /// The frame as a JSON object without line breaks.
    var bytes: [UInt8] { object.bytes }

    /// The frame in parts. A document is a part of its own, which other frames share.
    var object: LiveObject {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        func append(_ name: String, _ value: [UInt8] = []) {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(contentsOf: "\"\(name)\":".utf8)
            bytes.append(contentsOf: value)
        }
        if let token { append("token", Array(JSONValue.string(token).data())) }
        if let status { append("status", Array(String(status).utf8)) }
        if let resource { append("resource", Array(JSONValue.string(resource).data())) }
        if let headers { append("headers", Array(JSONValue.object(headers).data())) }
        switch body {
        case .document(let document):
            append("body")
            return LiveObject(parts: [bytes, document, [UInt8(ascii: "}")]])
        case .text(let text): append("body", Array(JSONValue.string(text).data()))
        case nil: break
        }
        bytes.append(UInt8(ascii: "}"))
        return LiveObject(bytes)
    }
}

extension LiveReply {
    /// Creates a reply with a text.
    init(to request: LiveRequest, _ status: Int, _ text: String) {
        self.init(to: request, status)
        body = .text(text)
    }

    /// Creates a reply without a body.
    init(to request: LiveRequest, _ status: Int) {
        self.init(token: request.token, resource: request.resource, status: status)
    }
}
