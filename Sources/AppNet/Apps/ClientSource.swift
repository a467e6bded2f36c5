public import HeliumJSON

/// The app that created an object (Docs/Protocols/AppNet.md §3.5).
public struct ClientSource: Hashable, Sendable {
    /// The app's name.
    public var name: String?

    /// The app's page.
    public var link: WebAddress?

    /// The app's client id.
    public var clientID: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates an app with these members.
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

extension ClientSource: Codable, JSONReadable {}
