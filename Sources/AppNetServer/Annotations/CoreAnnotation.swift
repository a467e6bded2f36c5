internal import HeliumJSON
internal import HeliumServerKit

/// The schemas of the types under `net.app.core.` (Docs/Protocols/AppNet.md §4.3).
enum CoreAnnotation {
    /// Checks a value against the schema of its type.
    ///
    /// - Parameter spelling: The type as the client wrote it, which may be in pnut's namespace.
    /// - Throws: ``AppNetFailure`` with 400 if the type does not exist or is not allowed for `place`, or if the value
    ///   does not match its schema.
    static func check(
        _ type: String,
        _ value: JSONValue,
        at place: AnnotationRules.Place,
        spelling: String
    ) throws(AppNetFailure) {
        let check = ValueCheck(type: spelling, value: value)
        switch type.dropFirst("net.app.core.".count) {
        case "oembed":
            // A file provides all members itself.
            guard let file = value["+net.app.core.file"] else { return try embedding(check, isOfFile: false) }
            try check.require(file["format"] == "oembed", "needs a file in the format oembed.")
        case "oembed.metadata":
            try check.require(place == .file, "is only for files.")
            try embedding(check, isOfFile: true)
        case "attachments":
            try check.require("+net.app.core.file_list")
            for file in value["+net.app.core.file_list"]?.arrayValue ?? [] where file["format"] != "metadata" {
                throw check.failure("needs files in the format metadata.")
            }
        case "geolocation":
            try check.number("latitude", in: -90...90, isRequired: true)
            try check.number("longitude", in: -180...180, isRequired: true)
            try check.number("altitude", in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude)
            try check.number("horizontal_accuracy", in: 0 ... .greatestFiniteMagnitude)
            try check.number("vertical_accuracy", in: 0 ... .greatestFiniteMagnitude)
        case "checkin": try check.require("+net.app.core.place")
        case "crosspost": try check.text("canonical_url")
        case "language":
            try check.text("language")
            // App.net accepted the codes of ISO 639-1, some with a region or a script, such as pt_BR and sr_Latn.
            let language = value["language"]?.stringValue ?? ""
            let isCode = language.wholeMatch(of: /[a-z]{2}([_-][A-Za-z0-9]{2,4})?/) != nil
            try check.require(isCode, "needs a language of ISO 639-1.")
        case "fallback_url", "directory.blog", "directory.homepage": try check.text("url")
        case "directory.facebook": try check.text("id")
        case "directory.twitter": try check.text("username")
        case "channel.invite": try check.text("channel_id")
        case "channel.metadata":
            try check.require(!place.isBroadcast, "is not for broadcast channels.")
            try metadata(check)
        case "broadcast.metadata":
            guard place.isBroadcast, case .channel = place else { throw check.failure("is for broadcast channels.") }
            try metadata(check)
        case "broadcast.message.metadata":
            guard place.isBroadcast, case .message = place else {
                throw check.failure("is for messages of broadcast channels.")
            }
            try check.text("subject", maximum: 128)
        case "broadcast.icon", "broadcast.cover":
            guard place.isBroadcast, case .channel = place else { throw check.failure("is for broadcast channels.") }
            try check.require("+net.app.core.file")
            let format = value["+net.app.core.file"]?["format"]
            try check.require(format == "metadata", "needs a file in the format metadata.")
        case "poll-notice": try check.require("+net.app.core.poll")
        case "chat-settings": try chatSettings(check)
        case "phototag":
            let format = value["+net.app.core.user"]?["format"]
            try check.require(format == "basic", "needs +net.app.core.user in the format basic.")
            try check.number("x", in: 0...100, isRequired: true)
            try check.number("y", in: 0...100, isRequired: true)
        default: throw .badRequest("\(spelling) is not a known annotation type.")
        }
    }

    /// Checks that the pictures of broadcast channels have the sizes of their kinds (Docs/Protocols/AppNet.md §4.3).
    ///
    /// - Parameter value: The value in its stored form.
    /// - Throws: ``AppNetFailure`` with 400 if the file is not such an image or is not complete.
    static func checkPicture(_ type: String, _ value: JSONValue, spelling: String, context: AppNetContext) throws {
        let reason: String
        let fits: (_ width: Int, _ height: Int) -> Bool
        switch type {
        case "net.app.core.broadcast.icon":
            reason = "needs a square image of 200x200 or more."
            fits = { $0 == $1 && $0 >= 200 }
        case "net.app.core.broadcast.cover":
            reason = "needs an image of exactly 680x340."
            fits = { $0 == 680 && $1 == 340 }
        default: return
        }
        let file = value["+net.app.core.file"]?["file_id"]?.stringValue.flatMap { Int64($0) }
        let content = try file.flatMap { try context.tables.files.contents(of: $0).first { $0.key.isEmpty } }
        guard let width = content?.width, let height = content?.height, fits(width, height) else {
            throw AppNetFailure.badRequest("\(spelling) \(reason)")
        }
    }

    private static func metadata(_ check: ValueCheck) throws(AppNetFailure) {
        try check.text("title", maximum: 75)
        try check.text("description", maximum: 1000)
        guard let tags = check.value["tags"], tags != .null else { return }
        guard let tags = tags.arrayValue, tags.count <= 3,
            tags.allSatisfy({ $0.stringValue.map { $0.unicodeScalars.count <= 15 } ?? false })
        else { throw check.failure("takes at most 3 tags of at most 15 characters.") }
    }

    /// Checks the settings of pnut's chat rooms (Docs/Protocols/AppNet.md §6.3).
    private static func chatSettings(_ check: ValueCheck) throws(AppNetFailure) {
        try check.text("name")
        if let description = check.value["description"], description != .null {
            try check.require(description["text"]?.stringValue != nil, "needs a description with text.")
        }
        if let categories = check.value["categories"], categories != .null {
            guard let categories = categories.arrayValue, categories.allSatisfy({ $0.stringValue != nil }) else {
                throw check.failure("needs categories as a list of texts.")
            }
        }
    }

    /// - Parameter isOfFile: Whether the value describes the embedding of a file. Keys then name contents of the file
    ///   in place of URLs.
    private static func embedding(_ check: ValueCheck, isOfFile: Bool) throws(AppNetFailure) {
        let value = check.value
        try check.require(value["version"] == "1.0", "needs the version \"1.0\".")
        try check.number("width", in: 0...1_000_000, isRequired: true)
        try check.number("height", in: 0...1_000_000, isRequired: true)
        switch value["type"]?.stringValue {
        // Without a URL, the photo is the file itself.
        case "photo": if !isOfFile || check.has("url") { try check.text("url") }
        case "video", "rich": try check.text("html")
        case "html5video":
            func isSource(_ source: JSONValue) -> Bool {
                let address = source["url"] ?? (isOfFile ? source["url_key"] : nil)
                // The registry's table calls the member `name`. Its sample responses call it `type`.
                let type = source["type"] ?? (isOfFile ? source["name"] : nil)
                return type?.stringValue != nil && address?.stringValue != nil
            }
            guard let sources = value["sources"]?.arrayValue, 1...5 ~= sources.count, sources.allSatisfy(isSource)
            else { throw check.failure("needs 1 to 5 sources with type and \(isOfFile ? "url_key" : "url").") }
        default: throw check.failure("needs a type: photo, video, html5video or rich.")
        }
        var address = "thumbnail_url"
        if isOfFile {
            for name in ["url_key", "poster_key", "thumbnail_key"] {
                try check.require(!check.has(name) || value[name]?.stringValue != nil, "needs the text \(name).")
            }
            if check.has("thumbnail_key") {
                try check.require(!check.has(address), "needs thumbnail_key or thumbnail_url, not both.")
                address = "thumbnail_key"
            }
        }
        let thumbnails = [address, "thumbnail_width", "thumbnail_height"].filter(check.has)
        let isWhole = thumbnails.isEmpty || thumbnails.count == 3
        try check.require(isWhole, "needs all three members of a thumbnail, or none.")
    }
}

/// Checks the members of one value.
private struct ValueCheck {
    let type: String
    let value: JSONValue

    func failure(_ reason: String) -> AppNetFailure { .badRequest("\(type) \(reason)") }

    /// Returns whether a member exists. A null member counts as missing.
    func has(_ name: String) -> Bool { value[name] ?? .null != .null }

    func require(_ name: String) throws(AppNetFailure) {
        guard has(name) else { throw failure("needs \(name).") }
    }

    /// Throws a failure with 400 and a reason if a condition is false.
    func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(AppNetFailure) {
        if !condition { throw failure(reason()) }
    }

    func text(_ name: String, maximum: Int = .max) throws(AppNetFailure) {
        guard let text = value[name]?.lenientText, !text.isEmpty, text.unicodeScalars.count <= maximum else {
            let limit = maximum == .max ? "" : " of at most \(maximum) characters"
            throw failure("needs the text \(name)\(limit).")
        }
    }

    /// Checks that a member is a number, or text that contains a number.
    func number(_ name: String, in range: ClosedRange<Double>, isRequired: Bool = false) throws(AppNetFailure) {
        guard let member = value[name], member != .null else {
            if isRequired { throw failure("needs \(name).") }
            return
        }
        guard let number = member.doubleValue ?? member.stringValue.flatMap(Double.init), range.contains(number) else {
            throw failure("needs a number \(name) in its range.")
        }
    }
}
