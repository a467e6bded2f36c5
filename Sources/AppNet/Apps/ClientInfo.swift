public import Foundation
public import HeliumJSON

/// An app that is registered with pnut.io (AppNet.md §6.2).
public struct ClientInfo: Hashable, Sendable {
    /// The client id.
    public var id: String?

    /// The name.
    public var name: String?

    /// The app's page.
    public var url: WebAddress?

    /// The app's logo. Only present for a single client.
    public var logoImage: WebAddress?

    /// The time of registration. Only present for a single client.
    public var createdAt: Date?

    /// The user who registered the app. Only present for a single client.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// The number of posts that were written with the app. Only present for a single client.
    public var postCount: Int?

    /// The app's description (`content`). Only present for a single client.
    public var description: ProcessedText?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A client of these members.
    public init(
        id: String? = nil,
        name: String? = nil,
        url: WebAddress? = nil,
        logoImage: WebAddress? = nil,
        createdAt: Date? = nil,
        user: AppNetUser? = nil,
        postCount: Int? = nil,
        description: ProcessedText? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.name = name
        self.url = url
        self.logoImage = logoImage
        self.createdAt = createdAt
        self.user = user
        self.postCount = postCount
        self.description = description
        self.extra = extra
    }
}

extension ClientInfo: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("name", &name)
        try visitor.member("url", &url)
        try visitor.member("logo_image", &logoImage)
        try visitor.member("created_at", &createdAt)
        try visitor.box("user", &boxedUser)
        try visitor.member("posts", &postCount)
        try visitor.value("content", &description, pnut: .like(AppNetUser.Description.self))
    }
}

extension ClientInfo: Codable, JSONReadable {
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

/// The calls of registered apps (AppNet.md §6.2). pnut.io only.
public struct ClientCalls: Sendable {
    let client: AppNetClient

    /// Returns the active apps that a user has registered.
    ///
    /// `GET users/{user}/clients`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func registered(by user: AppNetUser.ID) async throws -> [ClientInfo] {
        try await client.value(CallRequest(.clientsOfUser, ["user": user.text]))
    }

    /// Returns a registered app with its description and its owner.
    ///
    /// `GET clients/{id}`; any token.
    ///
    /// - Parameters:
    ///   - id: The app's client id, for example ``ClientSource/clientID``.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: String, _ parameters: GeneralParameters = GeneralParameters()) async throws -> ClientInfo {
        try await client.value(CallRequest(.client, ["client": id], parameters))
    }
}
