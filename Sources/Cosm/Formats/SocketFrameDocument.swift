internal import Foundation
internal import HeliumJSON

/// A document with a frame of the live socket (Docs/Protocols/Cosm.md §14).
///
/// The headers, the parameters and the body are kept as JSON. The body of a push is read as a whole feed or datastream
/// (§14.3).
struct SocketFrameDocument: CosmRecord {
    var method: String?
    var resource: String?
    var token: String?
    var status: Int?
    var headers: JSONObject?
    var params: JSONObject?
    var body: JSONValue?
    var extra = JSONObject()

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("method", \.method, .client)
        try visitor.member("resource", \.resource, .client)
        try visitor.member("token", \.token, .client)
        try visitor.member("status", \.status, .service)
    }

    mutating func finishReading() throws(MemberFault) {
        headers = try object("headers")
        params = try object("params")
        body = extra.removeValue(named: "body")
        if method == nil, status == nil, body == nil { throw MemberFault(reason: "it is not a frame of the socket") }
    }

    private mutating func object(_ name: String) throws(MemberFault) -> JSONObject? {
        switch extra.removeValue(named: name) {
        case .object(let object): return object
        case nil, .null: return nil
        default: throw MemberFault(reason: "\"\(name)\" is not an object")
        }
    }
}

extension SocketFrameDocument {
    func encode(to encoder: any Encoder) throws {
        var copy = self
        copy.extra["headers"] = headers.map { .object($0) }
        copy.extra["params"] = params.map { .object($0) }
        copy.extra["body"] = body
        try copy.encode(membersTo: encoder)
    }
}

extension SocketFrameDocument: CosmDocument {
    static func read(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<SocketFrameDocument> {
        guard format == .json else {
            throw CosmDocumentError(format: format, reason: "frames are available only in JSON")
        }
        do {
            var frame = try HeliumJSONDecoder().decode(SocketFrameDocument.self, from: data)
            guard frame.isPush, let resource = frame.resource.flatMap({ LiveResource(path: $0) }) else {
                return ReadDocument(value: frame)
            }
            let others =
                switch resource {
                case .feed: try frame.readBody(as: Feed.self, from: data)
                case .datastream: try frame.readBody(as: Datastream.self, from: data)
                }
            return ReadDocument(value: frame, membersAround: others.map { "body.\($0)" })
        } catch let error as DecodingError {
            throw CosmDocumentError(error)
        }
    }

    private var isPush: Bool { method == nil && status == nil && body != nil }

    private struct Pushed<Body: Decodable>: Decodable {
        let body: Body
    }

    /// Reads the body as a document and replaces it with the result.
    ///
    /// - Returns: The members that the document has no property for.
    private mutating func readBody<Body: CosmDocument & Decodable>(
        as type: Body.Type,
        from data: Data
    ) throws -> [String] {
        let value = try HeliumJSONDecoder().decode(Pushed<Body>.self, from: data).body
        let document = try value.encoded(as: .json)
        if let loss = document.losses.first { throw CosmDocumentError(format: .json, reason: "body.\(loss)") }
        body = try JSONValue(parsing: document.data)
        return value.unknownMembers
    }

    func encoded(as format: CosmFormat) throws -> EncodedDocument {
        guard format == .json else {
            throw CosmDocumentError(format: format, reason: "frames are available only in JSON")
        }
        return try JSONFormat.write(self)
    }
}
