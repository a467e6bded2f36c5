public import Foundation
public import HeliumJSON

/// A user's avatar or cover (§3.4).
public struct UserImage: Hashable, Sendable {
    /// Where the image is. ``url(width:height:)`` gives other sizes.
    public var url: WebAddress?

    /// The width in pixels.
    public var width: Int?

    /// The height in pixels.
    public var height: Int?

    /// Whether the user has set none (`is_default`).
    public var isDefault: Bool?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// An image of these members.
    public init(
        url: WebAddress? = nil,
        width: Int? = nil,
        height: Int? = nil,
        isDefault: Bool? = nil,
        extra: JSONObject = [:]
    ) {
        self.url = url
        self.width = width
        self.height = height
        self.isDefault = isDefault
        self.extra = extra
    }
}

extension UserImage: AppNetRecord {
    package init() { self.init(url: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("url", &url)
        try visitor.member("width", &width)
        try visitor.member("height", &height)
        try visitor.member("is_default", &isDefault)
    }
}

extension UserImage: Codable, JSONReadable {
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

extension UserImage {
    /// The image in another size (§3.4): the ratio is kept when one length is given. Moving images stay as they are.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The address; `nil` if the image has none that is a URL.
    public func url(width: Int? = nil, height: Int? = nil) -> URL? {
        guard let url = url?.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return nil
        }
        let size = [("w", width), ("h", height)].compactMap { name, length in
            length.map { URLQueryItem(name: name, value: String($0)) }
        }
        guard !size.isEmpty else { return url }
        parts.queryItems = (parts.queryItems ?? []).filter { $0.name != "w" && $0.name != "h" } + size
        return parts.url
    }
}
