public import HeliumJSON

/// The app that something came from (§3.5).
public struct ClientSource: Hashable, Sendable {
    /// The app's name.
    public var name: String?

    /// The app's page.
    public var link: WebAddress?

    /// The app's client id.
    public var clientID: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// An app of these members.
    public init(
        name: String? = nil,
        link: WebAddress? = nil,
        clientID: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.name = name
        self.link = link
        self.clientID = clientID
        self.extra = extra
    }
}

extension ClientSource: AppNetRecord {
    package init() { self.init(name: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("name", &name)
        try visitor.member("link", &link, pnut: .named("url"))
        try visitor.member("client_id", &clientID, pnut: .named("id"))
    }
}

extension ClientSource: Codable, JSONReadable {
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
