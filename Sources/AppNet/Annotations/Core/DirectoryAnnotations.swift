public import HeliumJSON

/// A user's blog.
///
/// Its type is `net.app.core.directory.blog` (§4).
public struct BlogDirectory: Hashable, Sendable {
    /// The page.
    public var url: WebAddress?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A page.
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

extension BlogDirectory: Codable, JSONReadable {
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

extension BlogDirectory: AnnotationValue {
    /// `net.app.core.directory.blog`.
    public static let annotationType = "net.app.core.directory.blog"
}

/// A user's page.
///
/// Its type is `net.app.core.directory.homepage` (§4).
public struct HomepageDirectory: Hashable, Sendable {
    /// The page.
    public var url: WebAddress?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A page.
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

extension HomepageDirectory: Codable, JSONReadable {
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

extension HomepageDirectory: AnnotationValue {
    /// `net.app.core.directory.homepage`.
    public static let annotationType = "net.app.core.directory.homepage"
}

/// A user on Facebook.
///
/// Its type is `net.app.core.directory.facebook` (§4).
public struct FacebookDirectory: Hashable, Sendable {
    /// The id there.
    public var id: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// An id.
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

extension FacebookDirectory: Codable, JSONReadable {
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

extension FacebookDirectory: AnnotationValue {
    /// `net.app.core.directory.facebook`.
    public static let annotationType = "net.app.core.directory.facebook"
}

/// A user on Twitter.
///
/// Its type is `net.app.core.directory.twitter` (§4).
public struct TwitterDirectory: Hashable, Sendable {
    /// The name there.
    public var username: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A name.
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

extension TwitterDirectory: Codable, JSONReadable {
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

extension TwitterDirectory: AnnotationValue {
    /// `net.app.core.directory.twitter`.
    public static let annotationType = "net.app.core.directory.twitter"
}
