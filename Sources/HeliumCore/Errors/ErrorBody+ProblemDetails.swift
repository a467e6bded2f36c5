internal import HeliumEssentials

/// A problem document (RFC 9457), the standard form of API errors. A member whose type differs from the standard's
/// counts as missing (RFC 9457 §3.1).
public struct ProblemDetails: Hashable, Sendable {
    /// A URI reference that identifies the kind of problem. Default: `about:blank`, which adds nothing to the status.
    public var type = "about:blank"

    /// The status in the document. A proxy may have changed the status of the response itself.
    public var status: Int?

    /// A human-readable summary of the kind of problem.
    public var title: String?

    /// A human-readable explanation of this occurrence.
    public var detail: String?

    /// A URI reference that identifies this occurrence.
    public var instance: String?

    /// All other members: strings unchanged, other values as their JSON text with sorted members. Members whose name is
    /// longer than 256 bytes are left out. For typed access see ``HeliumError/decodedBody(as:at:using:)``.
    public var extensions: [String: String] = [:]

    /// Creates a problem without members.
    package init() {}
}

extension ProblemDetails: Decodable {
    private static let maximumNameBytes = 256
    private static let standardNames: Set<ByteText> = ["type", "status", "title", "detail", "instance"]

    /// Decodes the members that are present.
    ///
    /// - Throws: The decoder's error if the value is not an object.
    public init(from decoder: any Decoder) throws {
        let document = try JSONObject(from: decoder)
        type = document["type"]?.stringValue ?? type
        status = document["status"]?.intValue
        title = document["title"]?.stringValue
        detail = document["detail"]?.stringValue
        instance = document["instance"]?.stringValue
        // Each name is compared with all the others, which takes long for long names.
        for (name, value) in document where name.utf8.count <= Self.maximumNameBytes {
            guard !Self.standardNames.contains(name), extensions[name] == nil else { continue }
            extensions[name] = value.stringValue ?? value.text(formatting: .sortedMembers)
        }
    }

    /// Creates a problem from a body, or returns `nil`. A problem document is always JSON, whatever the client's
    /// decoder reads.
    init?(body: Data) {
        guard let problem = try? HeliumJSONDecoder().decode(Self.self, from: body, at: []) else { return nil }
        self = problem
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// The members as `title: detail (type, instance)`, as far as present. Control characters are escaped and long
    /// texts are cut.
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

    /// Returns the problem with secrets masked.
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
