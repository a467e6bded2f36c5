internal import Foundation
internal import HTTPTypes
internal import HeliumCore
public import HeliumJSON

/// A frame from the server (Docs/Protocols/Cosm.md §14.3): an acknowledgement, a reply, a push or an error.
package struct SocketFrame: Sendable {
    /// The body of a frame.
    enum Body: Sendable {
        case none
        /// The message of an error.
        case text(String)
        case feed(Feed)
        case datastream(Datastream)
        case value(JSONValue)
        /// A push with a document that cannot be read.
        case unreadable
    }

    var token: String?
    var resource: String?
    /// The status; `nil` for a push.
    var status: Int?
    var fields = JSONObject()
    var body = Body.none

    var isPush: Bool { status == nil }
    var isSuccess: Bool { status.map { 200...299 ~= $0 } ?? false }

    /// Reads a frame. Half an emoji in a text becomes U+FFFD, as in responses over REST.
    ///
    /// - Throws: `DecodingError` if the text is not a frame.
    package init(_ text: String) throws {
        do {
            self = try HeliumJSONDecoder().decode(SocketFrame.self, from: text)
        } catch {
            guard let repaired = LenientText.repaired(Data(text.utf8)) else { throw error }
            self = try HeliumJSONDecoder().decode(SocketFrame.self, from: repaired)
        }
    }
}

extension SocketFrame: JSONReadable {
    package init(json: borrowing JSONReader) throws {
        var body: JSONReader?
        try json.forEachMember { name, value in
            switch name {
            case "token": token = try String.read(value)
            case "resource": resource = try String.read(value)
            case "status": status = try Int.read(value)
            case "headers": if value.kind == .object { fields = try value.decode() }
            case "body": body = value
            default: break
            }
        }
        if let body { self.body = try Self.read(body, of: isPush ? resource.flatMap { LiveResource(path: $0) } : nil) }
        guard status != nil || body != nil else { throw json.corrupted("it is not a frame of the socket") }
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

    package init(from decoder: any Decoder) throws {
        // Only HeliumJSON's decoder reads frames. It uses the other initializer.
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "frames are read by HeliumJSONDecoder")
        )
    }
}

// MARK: Responses

/// The response to a request over the live socket.
public struct SocketReply: Hashable, Sendable {
    /// The status, 200 to 299. Requests with another status throw an error.
    public let status: Int

    /// The header fields, by the service's names: `CONTENT_TYPE`, `LOCATION` (Docs/Protocols/Cosm.md §14.3).
    public let fields: [String: String]

    /// The document in the response; `nil` if there is none.
    public let body: JSONValue?

    init(_ frame: SocketFrame) {
        status = frame.status ?? 200
        fields = Dictionary(
            frame.fields.compactMap { name, value in value.stringValue.map { (name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        switch frame.body {
        case .value(let value): body = value
        case .text(let text): body = .string(text)
        case .none, .feed, .datastream, .unreadable: body = nil
        }
    }
}

extension CosmError {
    /// Creates the error for a frame that rejects a request (Docs/Protocols/Cosm.md §14.3). Its kind is that of the
    /// same status over REST.
    init(_ frame: SocketFrame, to method: SocketMethod, _ resource: String, on socket: SocketAddress) {
        let status = frame.status ?? 500
        var error = socket.error(
            .unacceptableStatus,
            .answered,
            "the socket responded with status \(status)",
            method: method,
            resource: resource
        )
        error[fact: \.head] = ResponseHead(status: status, fields: [:])
        var said = ErrorDocument(Data())
        switch frame.body {
        case .text(let text): said.messages = [text]
        case .value(let value): said = ErrorDocument(Data(value.description.utf8))
        case .none, .feed, .datastream, .unreadable: break
        }
        self.init(error, said: said, secrets: socket.secrets + KeyURL.keys(in: resource))
    }
}
