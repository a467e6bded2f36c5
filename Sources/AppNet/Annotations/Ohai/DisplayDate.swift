public import Foundation
public import HeliumJSON

/// The date to show in place of the one of creation: of an entry written offline, or dated back (§4.4).
///
/// Its type is `net.app.ohai.displaydate` (§4).
public struct DisplayDate: Hashable, Sendable {
    /// The date.
    public var date: Date?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A date.
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

extension DisplayDate: Codable, JSONReadable {
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

extension DisplayDate: AnnotationValue {
    /// `net.app.ohai.displaydate`.
    public static let annotationType = "net.app.ohai.displaydate"
}
