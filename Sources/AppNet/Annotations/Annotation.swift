public import HeliumJSON

/// Additional data of a user, post, channel, message or file: a type and an object of any shape
/// (Docs/Protocols/AppNet.md §4.1).
public struct Annotation: Hashable, Sendable {
    /// The type, a reverse domain name such as `net.app.core.geolocation`.
    public var type: String

    /// The value. In an update of a user, channel or file, `nil` removes the annotations of the type.
    public var value: JSONValue?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates an annotation with these members.
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

extension Annotation: Codable, JSONReadable {}
