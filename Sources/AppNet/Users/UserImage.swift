public import Foundation
public import HeliumJSON

/// A user's avatar or cover image (Docs/Protocols/AppNet.md §3.4).
public struct UserImage: Hashable, Sendable {
    /// The URL of the image. ``url(width:height:)`` returns URLs for other sizes.
    public var url: WebAddress?

    /// The width in pixels.
    public var width: Int?

    /// The height in pixels.
    public var height: Int?

    /// Whether it is the service's default image (`is_default`).
    public var isDefault: Bool?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates an image with these members.
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

extension UserImage: Codable, JSONReadable {}

extension UserImage {
    /// Returns the URL of the image in another size (Docs/Protocols/AppNet.md §3.4). If only one length is given, the
    /// aspect ratio is kept. GIF images are not resized.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The URL; `nil` if the image has no valid URL.
    public func url(width: Int? = nil, height: Int? = nil) -> URL? {
        guard let url = url?.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return nil
        }
        let size = [("w", width), ("h", height)].compactMap { name, length in
            length.map { URLQueryItem(name: name, value: String($0)) }
        }
        guard !size.isEmpty else { return url }
        // As it is encoded, because decoding it and encoding it again would change plus signs.
        parts.percentEncodedQueryItems =
            (parts.percentEncodedQueryItems ?? []).filter { $0.name != "w" && $0.name != "h" } + size
        return parts.url
    }
}
