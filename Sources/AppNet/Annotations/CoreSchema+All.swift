internal import HeliumJSON

extension CoreSchema {
    /// The schemas by type. No other type may begin with `net.app.core.`.
    static let all: [String: CoreSchema] = [
        OEmbed.annotationType: CoreSchema(check: embedded),
        OEmbedMetadata.annotationType: CoreSchema(members: [
            text("type"), text("version"), size("width"), size("height"),
        ]),
        Attachments.annotationType: CoreSchema(members: [reference("+net.app.core.file_list")]),
        Geolocation.annotationType: CoreSchema(
            members: [
                Member(name: "latitude", shape: .number(-90...90)),
                Member(name: "longitude", shape: .number(-180...180)),
                Member(name: "altitude", shape: .number(-Double.greatestFiniteMagnitude...largest), isRequired: false),
                Member(name: "horizontal_accuracy", shape: .number(0...largest), isRequired: false),
                Member(name: "vertical_accuracy", shape: .number(0...largest), isRequired: false),
            ]
        ),
        Checkin.annotationType: CoreSchema(members: [reference("+net.app.core.place")]),
        Crosspost.annotationType: CoreSchema(members: [text("canonical_url")]),
        TextLanguage.annotationType: CoreSchema(members: [text("language")]),
        FallbackURL.annotationType: CoreSchema(members: [text("url")]),
        ChannelInvite.annotationType: CoreSchema(members: [text("channel_id")]),
        ChannelMetadata.annotationType: CoreSchema(members: about, isOnBroadcasts: false),
        BroadcastMetadata.annotationType: CoreSchema(members: about, isOnBroadcasts: true),
        BroadcastSubject.annotationType: CoreSchema(members: [text("subject", 128)], isOnBroadcasts: true),
        BroadcastIcon.annotationType: CoreSchema(members: [reference("+net.app.core.file")], isOnBroadcasts: true),
        BroadcastCover.annotationType: CoreSchema(members: [reference("+net.app.core.file")], isOnBroadcasts: true),
        BroadcastFrequency.annotationType: CoreSchema(isReadOnly: true),
        PhotoTag.annotationType: CoreSchema(
            members: [
                reference("+net.app.core.user"), Member(name: "x", shape: .number(0...100)),
                Member(name: "y", shape: .number(0...100)),
            ]
        ),
        BlogDirectory.annotationType: CoreSchema(members: [text("url")]),
        HomepageDirectory.annotationType: CoreSchema(members: [text("url")]),
        FacebookDirectory.annotationType: CoreSchema(members: [text("id")]),
        TwitterDirectory.annotationType: CoreSchema(members: [text("username")]),
    ]

    private static let largest = Double.greatestFiniteMagnitude

    private static let about = [
        text("title", 75), text("description", 1000),
        Member(name: "tags", shape: .texts(maximum: 3, length: 15), isRequired: false),
    ]

    private static func text(_ name: String, _ maximum: Int = .max) -> Member {
        Member(name: name, shape: .text(maximum: maximum))
    }

    private static func size(_ name: String) -> Member { Member(name: name, shape: .number(0...largest)) }

    private static func reference(_ name: String) -> Member { Member(name: name, shape: .reference) }

    /// Checks embedded content, whose members depend on its type. Content that refers to a file needs none of them.
    private static let embedded: @Sendable (JSONObject, String) throws(RuleViolation) -> Void = {
        (object: JSONObject, path: String) throws(RuleViolation) in
        if object["+net.app.core.file"] != nil { return }
        let shown: [Member] =
            switch object["type"]?.stringValue {
            case "photo": [text("url")]
            case "video", "rich": [text("html")]
            case "html5video": [Member(name: "sources", shape: .reference)]
            default: []
            }
        let members = [text("type"), text("version"), size("width"), size("height")] + shown
        try CoreSchema(members: members).validate(object, at: path)
        if let sources = object["sources"]?.arrayValue, sources.count > 5 {
            throw RuleViolation(
                member: "\(path).sources",
                problem: .tooLong(sources.count, maximum: 5, unit: "sources")
            )
        }
        let thumbnail = ["thumbnail_url", "thumbnail_width", "thumbnail_height"]
        let missing = thumbnail.filter { object[$0] == nil }
        if let name = missing.first, missing.count < thumbnail.count {
            throw RuleViolation(member: "\(path).\(name)", problem: .missing)
        }
    }
}
