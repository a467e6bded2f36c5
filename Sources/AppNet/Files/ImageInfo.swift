public import HeliumJSON

/// The size of an image in pixels (Docs/Protocols/AppNet.md §3.4).
public struct ImageInfo: Hashable, Sendable {
    /// The width.
    public var width: Int?

    /// The height.
    public var height: Int?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a size with these members.
    public init(
        width: Int? = nil,
        height: Int? = nil,
        extra: JSONObject = [:]
    ) {
        self.width = width
        self.height = height
        self.extra = extra
    }
}

extension ImageInfo: AppNetRecord {
    package init() { self.init(width: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("width", &width)
        try visitor.member("height", &height)
    }
}

extension ImageInfo: Codable, JSONReadable {}
