public import HeliumJSON

/// What an app adds to a user, post, channel, message or file: a type, and an object of any shape (§4.1).
public struct Annotation: Hashable, Sendable {
    /// The type: a reverse domain name, `net.app.core.geolocation`.
    public var type: String

    /// The object; `nil` removes the annotations of the type from what can be changed.
    public var value: JSONValue?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// An annotation with this value.
    public init(
        type: String,
        value: JSONValue? = nil,
        extra: JSONObject = [:]
    ) {
        self.type = type
        self.value = value
        self.extra = extra
    }
}

extension Annotation: AppNetRecord {
    package init() { self.init(type: "") }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        var name: String? = type.isEmpty ? nil : type
        try visitor.member("type", &name)
        type = name ?? ""
        try visitor.value("value", &value)
    }
}

extension Annotation: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
