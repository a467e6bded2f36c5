internal import HeliumJSON

/// A recorded call: `{"request": {"method", "path", "body"}, "response": {"status", "headers", "body"}}`.
struct ExchangeDocument<RequestBody: DocumentValue, ResponseBody: DocumentValue>: Sendable {
    var request: Part<RequestBody>?
    var response: Part<ResponseBody>?

    /// A request or a response, with a body of some type and all other recorded members.
    struct Part<Body: DocumentValue>: Sendable {
        var body: Body?
        var others = JSONObject()
    }
}

extension ExchangeDocument: Codable, JSONReadable {
    init(json: borrowing JSONReader) throws {
        try json.forEachMember { name, value in
            switch name {
            case "request": request = try value.read()
            case "response": response = try value.read()
            default: throw value.corrupted("an exchange has only a request and a response")
            }
        }
    }
}

extension ExchangeDocument.Part: Codable, JSONReadable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case body
    }

    init(from decoder: any Decoder) throws {
        body = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Body.self, forKey: .body)
        others = try decoder.unknownMembers(besides: CodingKeys.self)
    }

    init(json: borrowing JSONReader) throws {
        try json.forEachMember { name, value in
            switch name {
            case "body": body = value.isNull ? nil : try value.read()
            default: others.keep(name, value)
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(body, forKey: .body)
        try encoder.encode(unknownMembers: others)
    }
}

extension ExchangeDocument: UnknownMemberHolder {
    func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        request?.body?.forEachUnknownMember(at: "request.body", body)
        response?.body?.forEachUnknownMember(at: "response.body", body)
    }
}
