public import HeliumJSON

/// A place that is not in the database, with an id of its own and the members of a ``Place``
/// (Docs/Protocols/AppNet.md §4.4).
///
/// The annotation type is `net.app.ohai.location`. The members of the place are also available directly, such as
/// `location.locality`.
@dynamicMemberLookup
public struct OhaiLocation: Hashable, Sendable {
    /// The id of the place, a UUID that is the same for every visit.
    public var id: String?

    /// The place's name, address and other members.
    public var place: Place

    /// Creates a place with an id.
    public init(id: String? = nil, place: Place = Place(factualID: nil)) {
        self.id = id
        self.place = place
    }

    /// Accesses a member of the place.
    public subscript<Value>(dynamicMember member: WritableKeyPath<Place, Value>) -> Value {
        get { place[keyPath: member] }
        set { place[keyPath: member] = newValue }
    }

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
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

extension OhaiLocation: Codable, JSONReadable {}

extension OhaiLocation: AnnotationValue {
    /// `net.app.ohai.location`.
    public static let annotationType = "net.app.ohai.location"
}
