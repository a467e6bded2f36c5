internal import HeliumEssentials

/// A problem document (RFC 9457): how many APIs say what is wrong. A member of another type than the standard's counts as
/// missing (section 3.1).
public struct ProblemDetails: Hashable, Sendable {
    /// A URI reference that names the kind of problem. Default: `about:blank`, no more than the status says.
    public var type = "about:blank"

    /// The status, as the document says: a proxy may have changed the answer's own.
    public var status: Int?

    /// What kind of problem it is, for people.
    public var title: String?

    /// What is wrong this time, for people.
    public var detail: String?

    /// A URI reference that names this occurrence.
    public var instance: String?

    /// All other members: strings as they are, anything else as its JSON text with sorted members. Members with a name of
    /// more than 256 bytes are left out. For typed access see ``HeliumError/decodedBody(as:at:using:)``.
    public var extensions: [String: String] = [:]

    /// A problem without members.
    public init() {}
}

extension ProblemDetails: Decodable {
    private static let maximumNameBytes = 256
    private static let standardNames: Set<ByteText> = ["type", "status", "title", "detail", "instance"]

    /// Takes what is there.
    ///
    /// - Throws: What the decoder throws for a value that is no object.
    public init(from decoder: any Decoder) throws {
        let document = try JSONObject(from: decoder)
        type = document["type"]?.stringValue ?? type
        status = document["status"]?.intValue
        title = document["title"]?.stringValue
        detail = document["detail"]?.stringValue
        instance = document["instance"]?.stringValue
        // A name is compared with all others, which takes long where it is.
        for (name, value) in document where name.utf8.count <= Self.maximumNameBytes {
            guard !Self.standardNames.contains(name), extensions[name] == nil else { continue }
            extensions[name] = value.stringValue ?? value.text(formatting: .sortedMembers)
        }
    }

    /// A problem document is JSON whatever else a client reads.
    init?(body: Data) {
        guard let problem = try? HeliumJSONDecoder().decode(Self.self, from: body, at: []) else { return nil }
        self = problem
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// `title: detail (type, instance)`, what there is of it; control characters escaped, long texts cut.
    public var description: String {
        func shown(_ text: String?) -> String? {
            text.map { PeerText.shortened(PeerText.escaped($0), to: ServerError.shownBytes) }
        }
        let texts = [shown(title), shown(detail)].compactMap(\.self).joined(separator: ": ")
        let names = [type.hasSameBytes(as: "about:blank") ? nil : shown(type), shown(instance)].compactMap(\.self)
            .joined(separator: ", ")
        let parts = [texts, names.isEmpty ? "" : "(\(names))"].filter { !$0.isEmpty }
        return parts.isEmpty ? "a problem without members" : parts.joined(separator: " ")
    }

    /// The same with secrets masked.
    func redacted(by redactor: Redactor) -> Self {
        var copy = self
        func masked(_ text: String) -> String { redactor.redact(text) }
        copy.type = masked(type)
        copy.title = title.map(masked)
        copy.detail = detail.map(masked)
        copy.instance = instance.map(masked)
        copy.extensions = Dictionary(
            extensions.map { (masked($0.key), masked($0.value)) },
            uniquingKeysWith: { first, _ in first }
        )
        return copy
    }
}
