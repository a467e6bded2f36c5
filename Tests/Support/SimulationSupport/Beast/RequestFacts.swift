import Foundation
import HeliumCore
import HeliumJSON
import HeliumTesting
import MessageBeast

/// The members of a request that the rules of sending are about.
struct RequestFacts {
    enum Kind {
        /// Creates a message with a token.
        case creation(token: String)
        case listing
        case deletion(id: String)
        case other
    }

    let kind: Kind
    /// The id of the channel in the path; `nil` if there is none.
    let channel: String?
    /// Whether an id in the path, or a member of the body besides the token, is a temporary id.
    let hasTemporaryID: Bool

    init(_ request: TransportRequest, body: Data?) {
        let path = request.url.target.split(separator: "?").first.map(String.init) ?? ""
        let parts = path.split(separator: "/").map(String.init)
        let start = parts.firstIndex(of: "channels")
        channel = start.flatMap { $0 + 1 < parts.count ? parts[$0 + 1] : nil }
        let isList = parts.last == "messages"
        let document = body.flatMap { try? HeliumJSONDecoder().decode(JSONValue.self, from: $0) }
        let token = document.flatMap(Self.token)
        switch request.method {
        case .post where isList: kind = token.map { .creation(token: $0) } ?? .other
        case .get where isList: kind = .listing
        case .delete where parts.dropLast().last == "messages": kind = .deletion(id: parts.last ?? "")
        default: kind = .other
        }
        let text = body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        hasTemporaryID = Self.uuids(in: path) > 0 || Self.uuids(in: text) > (token == nil ? 0 : 1)
    }

    /// The token of a message that is created, or of one that the service returns.
    static func token(of document: JSONValue) -> String? {
        for annotation in document["annotations"]?.arrayValue ?? []
        where annotation["type"]?.stringValue == MessageBeastNames.token {
            return annotation["value"]?["token"]?.stringValue
        }
        return nil
    }

    /// The number of UUIDs in a text.
    private static func uuids(in text: String) -> Int {
        let bytes = Array(text.utf8)
        var (count, run, start) = (0, 0, 0)
        for index in 0...bytes.count {
            if index < bytes.count, bytes[index] == 0x2D || Character(Unicode.Scalar(bytes[index])).isHexDigit {
                if run == 0 { start = index }
                run += 1
                continue
            }
            if run == 36, bytes[start..<index].count(where: { $0 == 0x2D }) == 4 { count += 1 }
            run = 0
        }
        return count
    }
}
