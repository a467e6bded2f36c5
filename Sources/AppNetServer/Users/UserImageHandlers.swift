internal import HTTPTypes
internal import HeliumServerKit

/// The calls for avatars and covers (Docs/Protocols/AppNet.md §2.5).
struct UserImageHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `POST users/me/avatar` and `cover`. The body is a multipart body with a part named after the picture.
    func set(_ image: UserImage) throws -> AppNetResponse {
        var user = try UserFinder(context).caller()
        guard case .multipart(let form) = context.request.body, let part = form[image.rawValue] else {
            throw AppNetFailure.badRequest("The body must be multipart with a part named \(image.rawValue).")
        }
        guard part.body.count < image.maximumBytes else {
            throw AppNetFailure.badRequest("The picture must be smaller than \(image.maximumBytes) bytes.")
        }
        guard let header = ImageHeader(part.body) else {
            throw AppNetFailure.badRequest("The format of the picture is not supported.")
        }
        try require(image != .cover || header.width >= 960, "A cover must be at least 960 pixels wide.")
        let old = image.number(of: user)
        let number = try tables.images.insert(part.body, header)
        try save(number, as: image, of: &user)
        if let old { try tables.images.delete(old) }
        return .data(try context.renderer.user(user))
    }

    /// Handles pnut's `DELETE users/me/avatar` and `cover`. Restores the default picture (Docs/Protocols/AppNet.md
    /// §6.2).
    func remove(_ image: UserImage) throws -> AppNetResponse {
        var user = try UserFinder(context).caller()
        try save(nil, as: image, of: &user)
        return .data(try context.renderer.user(user))
    }

    private func save(_ number: Int64?, as image: UserImage, of user: inout AppNetUser) throws {
        user[keyPath: image.property] = number
        try tables.users.update(user)
        context.effects.append(AppNetEvent(kind: .user, object: user.id, actor: user.id))
    }

    /// Handles `GET users/{user}/avatar` and `cover`. The redirect keeps the requested size.
    func redirect(to image: UserImage) throws -> AppNetResponse {
        var url = image.url(try UserFinder(context).user(), root: context.request.root)
        let size = ["w", "h"].compactMap { name in context.parameters[name].map { (name, $0) } }
        if !size.isEmpty { url += "?" + FormText.text(of: size) }
        return .redirect(url)
    }

    /// Returns the bytes of a picture.
    func read() throws -> AppNetResponse {
        if let image = UserImage.allCases.first(where: { context.segment("image") == "default-\($0.rawValue).svg" }) {
            return .reply(.text(.ok, image.defaultPicture, type: "image/svg+xml"))
        }
        let picture = try require(tables.images.picture(try context.id("image")), or: .notFound)
        var reply = ServerReply(status: .ok, body: picture.bytes)
        reply.fields[.contentType] = picture.mediaType
        return .reply(reply)
    }
}

extension UserImage {
    /// The size in bytes at which a picture is too large (Docs/Protocols/AppNet.md §2.5).
    fileprivate var maximumBytes: Int {
        switch self {
        case .avatar: 1024 * 1024
        case .cover: 4 * 1024 * 1024
        }
    }

    /// A plain rectangle, which scales to any requested size.
    fileprivate var defaultPicture: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(defaultSize.width)" height="\(defaultSize.height)">\
        <rect width="100%" height="100%" fill="#8899aa"/></svg>
        """
    }
}
