public import Foundation
public import HeliumJSON

/// An app that is registered with pnut.io (Docs/Protocols/AppNet.md §6.2).
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

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a client with these members.
    package init(
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

extension ClientInfo: Codable, JSONReadable {}

/// The calls for registered apps; pnut.io only (Docs/Protocols/AppNet.md §6.2).
public struct ClientCalls: Sendable {
    let client: AppNetClient

    /// Returns the active apps that a user has registered.
    ///
    /// `GET users/{user}/clients`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
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
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ id: String, parameters: GeneralParameters = GeneralParameters()) async throws -> ClientInfo {
        try await client.value(CallRequest(.client, ["client": id], parameters))
    }
}
