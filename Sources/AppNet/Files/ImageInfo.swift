public import HeliumJSON

/// The size of an image (§3.4), in pixels.
public struct ImageInfo: Hashable, Sendable {
    /// The width.
    public var width: Int?

    /// The height.
    public var height: Int?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A size.
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

extension ImageInfo: Codable, JSONReadable {
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
