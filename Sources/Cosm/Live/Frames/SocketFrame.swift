internal import HeliumJSON

/// A frame from the server (§14.3): an acknowledgement, a reply, a push or an error.
struct SocketFrame: Sendable {
    /// What a frame says.
    enum Body: Sendable {
        case none
        /// What an error says.
        case text(String)
        case feed(Feed)
        case datastream(Datastream)
        case value(JSONValue)
        /// A push whose document can't be read.
        case unreadable
    }

    var token: String?
    var resource: String?
    /// `nil` of a push.
    var status: Int?
    var headers = JSONObject()
    var body = Body.none

    var isPush: Bool { status == nil }
    var isSuccess: Bool { status.map { 200...299 ~= $0 } ?? false }

    /// - Throws: `DecodingError` of what is no frame.
    init(_ text: String) throws { self = try HeliumJSONDecoder().decode(SocketFrame.self, from: text) }
}

extension SocketFrame: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var body: JSONReader?
        try json.forEachMember { name, value in
            switch name {
            case "token": token = try String.read(value)
            case "resource": resource = try String.read(value)
            case "status": status = try Int.read(value)
            case "headers": if value.kind == .object { headers = try value.decode() }
            case "body": body = value
            default: break
            }
        }
        if let body { self.body = try Self.read(body, of: isPush ? resource.flatMap { LiveResource(path: $0) } : nil) }
        guard status != nil || body != nil else { throw json.corrupted("it is no frame of the socket") }
    }

    private static func read(_ json: borrowing JSONReader, of resource: LiveResource?) throws -> Body {
        switch (json.kind, resource) {
        case (.null, _): .none
        case (.string, _): .text(try json.read())
        case (.object, .feed): (try? Feed(json: json)).map { .feed($0) } ?? .unreadable
        case (.object, .datastream): (try? Datastream(json: json)).map { .datastream($0) } ?? .unreadable
        default: .value(try json.decode())
        }
    }

    init(from decoder: any Decoder) throws {
        // Only HeliumJSON's decoder reads frames, and it takes the other way.
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "frames are read by HeliumJSONDecoder")
        )
    }
}
