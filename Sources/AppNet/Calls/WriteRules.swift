internal import Foundation
internal import HeliumJSON

/// What the service is known to refuse: found before anything is sent.
enum WriteRules {
    /// The most bytes of an object's annotations as compact JSON (§4.1).
    static let maximumAnnotationBytes = 8192

    /// The most code points of a message's text (§2.2).
    static let maximumMessageLength = 2048

    /// The most code points of a post's text (§2.7).
    static let maximumPostLength = 256

    /// The most users that an access list names (§2.1).
    static let maximumListedUsers = 200

    /// Annotations have a type, and together no more than so many bytes.
    static func check(annotations: [Annotation]?, of what: String) throws(AppNetError) {
        guard let annotations, !annotations.isEmpty else { return }
        guard annotations.allSatisfy({ !$0.type.isEmpty }) else {
            throw AppNetError(.invalidRequest, "an annotation has no type")
        }
        guard let bytes = try? HeliumJSONEncoder.bodies.encode(annotations).count else {
            throw AppNetError(.unencodable, "the \(what)'s annotations can't be written")
        }
        guard bytes <= maximumAnnotationBytes else {
            throw AppNetError(
                .invalidRequest,
                "a \(what)'s annotations have at most \(maximumAnnotationBytes) bytes, not \(bytes)"
            )
        }
    }

    /// A message has a text, or annotations only.
    static func check(_ message: Message) throws(AppNetError) {
        try check(annotations: message.annotations, of: "message")
        try check(
            text: message.text,
            message.entities,
            maximum: maximumMessageLength,
            isMachineOnly: message.isMachineOnly ?? false,
            annotations: message.annotations,
            of: "message"
        )
    }

    /// A post has a text, or annotations only.
    static func check(_ post: Post) throws(AppNetError) {
        try check(annotations: post.annotations, of: "post")
        try check(
            text: post.text,
            post.entities,
            maximum: maximumPostLength,
            isMachineOnly: post.isMachineOnly ?? false,
            annotations: post.annotations,
            of: "post"
        )
    }

    /// A text of no more than so many code points; or none and annotations instead, of what is machine only.
    private static func check(
        text: String?,
        _ entities: Entities?,
        maximum: Int,
        isMachineOnly: Bool,
        annotations: [Annotation]?,
        of what: String
    ) throws(AppNetError) {
        if isMachineOnly {
            guard text == nil else { throw AppNetError(.invalidRequest, "a machine only \(what) has no text") }
            guard let annotations, !annotations.isEmpty else {
                throw AppNetError(.invalidRequest, "a machine only \(what) needs an annotation")
            }
            return
        }
        guard let text, !text.isEmpty else { throw AppNetError(.invalidRequest, "a \(what) needs a text") }
        // Links in Markdown are shorter in the end: only the service knows how much.
        let count = text.unicodeScalars.count
        guard count <= maximum || entities?.parsesMarkdownLinks == true else {
            throw AppNetError(.invalidRequest, "a \(what)'s text has at most \(maximum) characters, not \(count)")
        }
    }

    /// Of anybody, the public and a list at most one has access; `public` is for reading only, anybody never for editing.
    static func check(_ channel: Channel) throws(AppNetError) {
        try check(annotations: channel.annotations, of: "channel")
        let isBroadcast = channel.type?.rawValue == "net.app.core.broadcast"
        try check(channel.readers, "readers", isListOpen: isBroadcast)
        try check(channel.writers, "writers")
        try check(channel.editors, "editors")
        if channel.writers?.isPublic == true || channel.editors?.isPublic == true {
            throw AppNetError(.invalidRequest, "only a channel's readers can be the public")
        }
        if channel.editors?.includesAnyUser == true {
            throw AppNetError(.invalidRequest, "a channel's editors can't be any user")
        }
    }

    private static func check(_ list: ACL?, _ name: String, isListOpen: Bool = false) throws(AppNetError) {
        guard let list else { return }
        let ways = [list.includesAnyUser == true, list.isPublic == true, list.userIDs?.isEmpty == false]
        guard ways.filter(\.self).count <= 1 else {
            throw AppNetError(.invalidRequest, "of any user, the public and listed users only one can be the \(name)")
        }
        guard isListOpen || list.userIDs?.count ?? 0 <= maximumListedUsers else {
            throw AppNetError(.invalidRequest, "a channel's \(name) are at most \(maximumListedUsers) listed users")
        }
    }
}
