public import HeliumJSON

/// A place that is not in the database (§4.4): one's own id, and what a ``Place`` tells.
///
/// Its type is `net.app.ohai.location` (§4). The members of the place are at hand directly: `location.locality`.
@dynamicMemberLookup
public struct OhaiLocation: Hashable, Sendable {
    /// The place's id, the same at every visit: a UUID.
    public var id: String?

    /// Where it is and what it is called.
    public var place: Place

    /// A place with an id.
    public init(id: String? = nil, place: Place = Place(factualID: nil)) {
        self.id = id
        self.place = place
    }

    /// A member of the place.
    public subscript<Value>(dynamicMember member: WritableKeyPath<Place, Value>) -> Value {
        get { place[keyPath: member] }
        set { place[keyPath: member] = newValue }
    }

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra: JSONObject {
        get { place.extra }
        set { place.extra = newValue }
    }
}

extension OhaiLocation: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try place.visit(&visitor)
    }
}

extension OhaiLocation: Codable, JSONReadable {
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

extension OhaiLocation: AnnotationValue {
    /// `net.app.ohai.location`.
    public static let annotationType = "net.app.ohai.location"
}
