internal import HeliumJSON
internal import HeliumServerKit

/// The calls that change the caller's profile (Docs/Protocols/AppNet.md §2.5).
struct ProfileHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `PUT users/me`, which requires name, locale, timezone and description, and `PATCH`, for which all are
    /// optional.
    func update(isWhole: Bool) throws -> AppNetResponse {
        let body = try context.body()
        var user = try UserFinder(context).caller()
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
            let rules = AnnotationRules(context: context, place: .user)
            user.annotations = try rules.merged(annotations, into: user.annotations)
        }
        try tables.users.update(user)
        context.effects.append(AppNetEvent(kind: .user, object: user.id, actor: user.id))
        return .data(try context.renderer.user(user))
    }

    private func description(_ value: JSONValue) throws -> ProcessedText? {
        let text = try require(value["text"]?.stringValue, or: .badRequest("description.text must be text."))
        if text.isEmpty { return nil }
        var writer = try WrittenText(text: text, entities: value["entities"], rules: context.request.dialect.text)
        writer.marksLeadingMentions = false
        return try MentionResolver(context).textProcessor.process(writer, maximum: TextLimits.user)
    }
}
