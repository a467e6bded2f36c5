public import Foundation
public import HeliumJSON

/// The date to display instead of the creation date, for an entry that was written offline or is backdated
/// (Docs/Protocols/AppNet.md §4.4).
///
/// The annotation type is `net.app.ohai.displaydate`.
public struct DisplayDate: Hashable, Sendable {
    /// The date.
    public var date: Date?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        date: Date? = nil,
        extra: JSONObject = [:]
    ) {
        self.date = date
        self.extra = extra
    }
}

extension DisplayDate: AppNetRecord {
    package init() { self.init(date: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("date", &date)
    }
}

extension DisplayDate: Codable, JSONReadable {}

extension DisplayDate: AnnotationValue {
    /// `net.app.ohai.displaydate`.
    public static let annotationType = "net.app.ohai.displaydate"
}
