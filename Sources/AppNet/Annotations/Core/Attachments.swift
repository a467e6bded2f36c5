public import HeliumJSON

/// The files that are attached to a text. ``Annotation/attachments(_:)`` attaches files.
///
/// The annotation type is `net.app.core.attachments` (Docs/Protocols/AppNet.md §4.3).
public struct Attachments: Hashable, Sendable {
    /// The files.
    public var files: [AttachedFile]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    package init(
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

extension Attachments: Codable, JSONReadable {}

extension Attachments: AnnotationValue {
    /// `net.app.core.attachments`.
    public static let annotationType = "net.app.core.attachments"
}
