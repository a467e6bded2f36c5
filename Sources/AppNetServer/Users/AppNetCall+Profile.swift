internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// `PUT users/me`, which needs all of name, locale, timezone and description, and `PATCH`, which takes any of them.
    func updateProfile(isWhole: Bool) throws -> AppNetAnswer {
        let body = try body()
        guard var user = try users.user(try me()) else { throw AppNetFailure.notFound }
        func text(_ name: String, maximum: Int) throws -> String? {
            guard let value = body[name], value != .null else {
                if isWhole { throw AppNetFailure.badRequest("You must supply \(name).") }
                return nil
            }
            guard let text = value.stringValue, !text.isEmpty, text.unicodeScalars.count <= maximum else {
                throw AppNetFailure.badRequest("\(name) must be text of 1 to \(maximum) characters.")
            }
            return text
        }
        if let name = try text("name", maximum: 50) { user.name = name }
        if let locale = try text("locale", maximum: 35) { user.locale = locale }
        if let timezone = try text("timezone", maximum: 64) { user.timezone = timezone }
        if let description = body["description"], description != .null {
            user.description = try self.description(description)
        } else if isWhole {
            throw AppNetFailure.badRequest("You must supply description.")
        }
        if let annotations = body["annotations"], annotations != .null {
            let rules = AnnotationRules(call: self, place: .user)
            user.annotations = try rules.merged(annotations, into: user.annotations)
        }
        try users.update(user)
        effects.append(AppNetEvent(kind: .user, object: user.id, actor: user.id))
        return .data(try renderer.user(user))
    }

    private func description(_ value: JSONValue) throws -> ProcessedText? {
        guard let text = value["text"]?.stringValue else {
            throw AppNetFailure.badRequest("description.text must be text.")
        }
        if text.isEmpty { return nil }
        var writer = try WrittenText(text: text, entities: value["entities"], isPnut: request.isPnut)
        writer.marksLeadingMentions = false
        return try textProcessor.process(writer, maximum: TextLimits.user)
    }

    /// `POST users/me/avatar` and `cover`: a multipart body with one part of the picture's name.
    func setImage(_ image: UserImage) throws -> AppNetAnswer {
        guard var user = try users.user(try me()) else { throw AppNetFailure.notFound }
        guard case .multipart(let form) = request.body, let part = form[image.rawValue] else {
            throw AppNetFailure.badRequest("The body must be multipart with a part named \(image.rawValue).")
        }
        guard part.body.count < image.maximumBytes else {
            throw AppNetFailure.badRequest("The picture must be smaller than \(image.maximumBytes) bytes.")
        }
        guard let header = ImageHeader(part.body) else { throw AppNetFailure.badRequest("The picture is not known.") }
        guard image != .cover || header.width >= 960 else {
            throw AppNetFailure.badRequest("A cover must be at least 960 pixels wide.")
        }
        let old = image.number(of: user)
        let number = try ImageTable(database: database).insert(part.body, header)
        switch image {
        case .avatar: user.avatar = number
        case .cover: user.cover = number
        }
        try users.update(user)
        if let old { try ImageTable(database: database).delete(old) }
        effects.append(AppNetEvent(kind: .user, object: user.id, actor: user.id))
        return .data(try renderer.user(user))
    }

    /// The picture itself.
    func readImage() throws -> AppNetAnswer {
        if let image = UserImage.allCases.first(where: { segment("image") == "default-\($0.rawValue).svg" }) {
            return .reply(.text(.ok, image.defaultPicture, type: "image/svg+xml"))
        }
        guard let picture = try ImageTable(database: database).picture(try id("image")) else {
            throw AppNetFailure.notFound
        }
        var reply = ServerReply(status: .ok, body: picture.bytes)
        reply.fields[.contentType] = picture.mediaType
        return .reply(reply)
    }
}

extension UserImage {
    /// The size from which on a picture is too large (§2.5).
    fileprivate var maximumBytes: Int {
        switch self {
        case .avatar: 1024 * 1024
        case .cover: 4 * 1024 * 1024
        }
    }

    /// A plain area: scales to any size that is asked for.
    fileprivate var defaultPicture: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(defaultSize.width)" height="\(defaultSize.height)">\
        <rect width="100%" height="100%" fill="#8899aa"/></svg>
        """
    }
}
