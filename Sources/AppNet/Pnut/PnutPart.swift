/// An object, or part of one, whose members differ on pnut.io; its differences in the order of the way to pnut (§6.3).
enum PnutPart {
    case message, channel, user, file, post, token, configuration, interaction, event, entities, text, poll
    case acl, writers, editors, description, mention, hashtag, source, derivedFile, presence, client, userCounts,
        subjects,
        appStream

    /// `nil` for what is the same in both dialects.
    init?(_ kind: ObjectKind) {
        switch kind {
        case .message: self = .message
        case .channel: self = .channel
        case .user: self = .user
        case .file: self = .file
        case .post: self = .post
        case .token: self = .token
        case .configuration: self = .configuration
        case .interaction: self = .interaction
        case .event: self = .event
        case .entities: self = .entities
        case .text: self = .text
        case .poll: self = .poll
        case .presence: self = .presence
        case .client: self = .client
        case .acl: self = .acl
        case .appStream: self = .appStream
        case .place, .streamMarker, .annotation, .exploreStream, .filter, .image, .badge, .none: return nil
        }
    }

    var steps: [PnutStep] {
        switch self {
        case .message: Self.messageSteps
        case .post: Self.postSteps
        case .channel: Self.channelSteps
        case .user: Self.userSteps
        case .file: Self.fileSteps
        case .acl: []
        // The members that pnut does not have there are no news when they are as usual.
        case .writers: [.unsettable("public", reason: "writers can't be everybody")]
        case .editors:
            [
                .unsettable("public", reason: "editors can't be everybody"),
                .unsettable("any_user", reason: "editors can't be every user"),
            ]
        case .description: [.part("entities", .entities)]
        case .entities: [.part("mentions", .mention), .part("hashtags", .hashtag), .rename("hashtags", pnut: "tags")]
        case .mention, .hashtag: [.rename("name", pnut: "text")]
        case .source: [.rename("link", pnut: "url"), .rename("client_id", pnut: "id")]
        case .derivedFile: [.rename("url_expires", pnut: "url_expires_at")]
        case .appStream: [.value("object_types", PnutMembers.eventTypes), .identifier("id", pnut: "key")]
        case .userCounts: [.rename("stars", pnut: "bookmarks")]
        case .token: [.part("user", .user), .part("app", .source)]
        case .configuration: [.limits]
        case .interaction: [.part("users", .user), .value("action", [("star", "bookmark")]), .event]
        case .text: [.part("entities", .entities), .nest(Self.contentMembers, in: "content")]
        case .poll: [.part("user", .user), .part("source", .source), .annotations]
        case .presence: [.part("user", .user)]
        case .client: [.part("user", .user), .part("content", .description)]
        case .event: [.event]
        case .subjects:
            [
                .part("user", .user), .part("post", .post), .part("channel", .channel), .part("follows_user", .user),
                .part("muted_user", .user), .part("blocked_user", .user),
                .rename("follows_user", pnut: "followed_user"),
            ]
        }
    }

    private static let contentMembers = [("text", "text"), ("html", "html"), ("entities", "entities")]
        .map { (name: $0.0, pnut: $0.1) }

    private static let writtenSteps: [PnutStep] = [
        .part("user", .user), .part("source", .source), .part("entities", .entities),
        .unsettable("machine_only", reason: "a text is needed"), .annotations, .nest(contentMembers, in: "content"),
    ]

    private static let messageSteps: [PnutStep] =
        [.templates("text", id: "{message_id}"), .templates("entities", id: "{message_id}")]
        + [.templates("annotations", id: "{message_id}")] + writtenSteps
        + [.nest([("num_replies", "replies")].map { (name: $0.0, pnut: $0.1) }, in: "counts")]

    private static let postSteps: [PnutStep] =
        [.templates("text", id: "{post_id}"), .templates("entities", id: "{post_id}")]
        + [
            .templates("annotations", id: "{post_id}"), .part("starred_by", .user), .part("reposters", .user),
            .part("repost_of", .post),
        ] + writtenSteps
        + [
            .nest(
                [
                    ("num_replies", "replies"), ("num_stars", "bookmarks"), ("num_reposts", "reposts"),
                    ("num_threads", "threads"),
                ].map { (name: $0.0, pnut: $0.1) },
                in: "counts"
            ),
            .rename("you_starred", pnut: "you_bookmarked"), .rename("starred_by", pnut: "bookmarked_by"),
            .rename("reposters", pnut: "reposted_by"), .appNetOnly(["canonical_url", "deleted"]),
        ]

    private static let channelSteps: [PnutStep] = [
        .part("owner", .user), .part("recent_message", .message), .part("recent_deleted_message", .message),
        .part("writers", .writers), .part("editors", .editors), .typeName("type"), .annotations,
        .rename("owner", pnut: "user"),
        .nest(
            [("readers", "read"), ("writers", "write"), ("editors", "full")].map { (name: $0.0, pnut: $0.1) },
            in: "acl"
        ),
        .inverted("is_inactive", pnut: "is_active"), .appNetOnly(["you_can_edit"]),
    ]

    private static let userSteps: [PnutStep] = [
        .part("description", .description), .part("counts", .userCounts), .annotations,
        .rename("description", pnut: "content"),
        .nest(
            [("avatar_image", "avatar_image"), ("cover_image", "cover_image")].map { (name: $0.0, pnut: $0.1) },
            in: "content"
        ),
        .nest(
            [("verified_domain", "domain"), ("verified_url", "url")].map { (name: $0.0, pnut: $0.1) },
            in: "verified"
        ),
        .appNetOnly(["you_can_subscribe", "canonical_url", "is_follower", "is_following", "is_muted"]),
    ]

    private static let fileSteps: [PnutStep] = [
        .part("user", .user), .part("source", .source), .annotations,
        .parts(
            "derived_files",
            .derivedFile,
            names: [("image_thumb_200s", "core_image_200s"), ("image_thumb_960r", "core_image_960r")].map {
                (name: $0.0, pnut: $0.1)
            }
        ),
        .rename("complete", pnut: "is_complete"), .rename("public", pnut: "is_public"),
        .rename("url_expires", pnut: "url_expires_at"), .appNetOnly(["url_permanent"]),
    ]
}
