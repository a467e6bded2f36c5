public import HeliumJSON

/// A user's blog.
///
/// The annotation type is `net.app.core.directory.blog` (Docs/Protocols/AppNet.md §4.3).
public struct BlogDirectory: Hashable, Sendable {
    /// The URL of the blog.
    public var url: WebAddress?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        url: WebAddress? = nil,
        extra: JSONObject = [:]
    ) {
        self.url = url
        self.extra = extra
    }
}

extension BlogDirectory: AppNetRecord {
    package init() { self.init(url: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("url", &url)
    }
}

extension BlogDirectory: Codable, JSONReadable {}

extension BlogDirectory: AnnotationValue {
    /// `net.app.core.directory.blog`.
    public static let annotationType = "net.app.core.directory.blog"
}

/// A user's homepage.
///
/// The annotation type is `net.app.core.directory.homepage` (Docs/Protocols/AppNet.md §4.3).
public struct HomepageDirectory: Hashable, Sendable {
    /// The URL of the homepage.
    public var url: WebAddress?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        url: WebAddress? = nil,
        extra: JSONObject = [:]
    ) {
        self.url = url
        self.extra = extra
    }
}

extension HomepageDirectory: AppNetRecord {
    package init() { self.init(url: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("url", &url)
    }
}

extension HomepageDirectory: Codable, JSONReadable {}

extension HomepageDirectory: AnnotationValue {
    /// `net.app.core.directory.homepage`.
    public static let annotationType = "net.app.core.directory.homepage"
}

/// A user's Facebook account.
///
/// The annotation type is `net.app.core.directory.facebook` (Docs/Protocols/AppNet.md §4.3).
public struct FacebookDirectory: Hashable, Sendable {
    /// The id on Facebook.
    public var id: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        id: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.extra = extra
    }
}

extension FacebookDirectory: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
    }
}

extension FacebookDirectory: Codable, JSONReadable {}

extension FacebookDirectory: AnnotationValue {
    /// `net.app.core.directory.facebook`.
    public static let annotationType = "net.app.core.directory.facebook"
}

/// A user's Twitter account.
///
/// The annotation type is `net.app.core.directory.twitter` (Docs/Protocols/AppNet.md §4.3).
public struct TwitterDirectory: Hashable, Sendable {
    /// The user name on Twitter.
    public var username: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a value with these members.
    public init(
        username: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.username = username
        self.extra = extra
    }
}

extension TwitterDirectory: AppNetRecord {
    package init() { self.init(username: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("username", &username)
    }
}

extension TwitterDirectory: Codable, JSONReadable {}

extension TwitterDirectory: AnnotationValue {
    /// `net.app.core.directory.twitter`.
    public static let annotationType = "net.app.core.directory.twitter"
}
