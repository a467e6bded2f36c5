public import HeliumJSON

/// Files that belong to a text. ``Annotation/attachments(_:)`` attaches some.
///
/// Its type is `net.app.core.attachments` (§4).
public struct Attachments: Hashable, Sendable {
    /// The files.
    public var files: [AttachedFile]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Files.
    public init(
        files: [AttachedFile]? = nil,
        extra: JSONObject = [:]
    ) {
        self.files = files
        self.extra = extra
    }
}

extension Attachments: AppNetRecord {
    package init() { self.init(files: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.value("net.app.core.file_list", &files)
    }
}

extension Attachments: Codable, JSONReadable {
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

extension Attachments: AnnotationValue {
    /// `net.app.core.attachments`.
    public static let annotationType = "net.app.core.attachments"
}
