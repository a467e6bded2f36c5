internal import HeliumJSON
internal import HeliumServerKit

/// One of the two formats of the API: App.net's or pnut.io's (Docs/Protocols/AppNet.md §6).
///
/// The server uses App.net's format internally. A dialect translates requests, responses and frames at the edge of the
/// server, and provides the settings that differ. Code outside of this folder reads these settings and does not compare
/// dialects.
struct Dialect: Hashable, Sendable {
    /// The rules for parsing texts.
    let text: TextRules
    /// The names in braces that are replaced by the id of a post or a message in its links.
    let postTemplate: String
    let messageTemplate: String
    /// The kinds of files in addition to `other`. Each is also the first part of its media types.
    let fileKinds: [String]
    /// Whether `+net.app.core.poll` is a replacement value.
    let replacesPolls: Bool
    /// Whether attached files have another form in responses than in the store, so that they cannot be recognized in
    /// objects that a client sends back.
    let reshapesAttachments: Bool
    /// Whether objects and frames have the members that pnut.io added (Docs/Protocols/AppNet.md §6.3).
    let extendsObjects: Bool
    /// Whether calls accept the parameters that pnut.io added: `exclude_channel_types`, `include_limited_users`,
    /// `created_after`, `created_before`, and `channel_types` for muted channels.
    let extendsParameters: Bool
    /// The actions in a user's list of interactions, in App.net's names.
    let interactions: Set<String>
    /// The maximum number of subscriptions of a user stream.
    let maximumSubscriptions: Int
    let appStreams: AppStreamRules
    /// The translation to App.net's form; `nil` if this is that form.
    private let translation: PnutTranslation?

    /// The rules for app streams (Docs/Protocols/AppNet.md §2.13, §6.2).
    struct AppStreamRules: Hashable, Sendable {
        /// Whether all tokens of an app share its streams. If not, a stream belongs to the token that created it.
        let belongToApps: Bool
        /// Whether streams are identified by keys, which cannot be changed, and have no filters. If not, they are
        /// identified by ids.
        let areNamedByKeys: Bool
        /// The types of events that a stream can have.
        let events: [AppNetEvent.Kind]
    }
}

// MARK: The dialects

extension Dialect {
    static let appNet = Self(
        text: .appNet,
        postTemplate: "post_id",
        messageTemplate: "message_id",
        fileKinds: ["image"],
        replacesPolls: false,
        reshapesAttachments: false,
        extendsObjects: false,
        extendsParameters: false,
        interactions: InteractionTable.actions,
        maximumSubscriptions: 50,
        appStreams: AppStreamRules(
            belongToApps: false,
            areNamedByKeys: false,
            events: AppNetEvent.Kind.allCases.filter { !PnutNames.ownEvents.contains($0) }
        ),
        translation: nil
    )

    static let pnut = Self(
        text: .pnut,
        postTemplate: "object_id",
        messageTemplate: "object_id",
        fileKinds: ["image", "audio", "video"],
        replacesPolls: true,
        reshapesAttachments: true,
        extendsObjects: true,
        extendsParameters: true,
        interactions: PnutNames.actions,
        maximumSubscriptions: 16,
        appStreams: AppStreamRules(belongToApps: true, areNamedByKeys: true, events: AppNetEvent.Kind.allCases),
        translation: PnutTranslation()
    )
}

extension TextRules {
    static let appNet = Self()

    static let pnut = Self(
        schemes: ["http://", "https://", "ftp://", "gopher://"],
        hasCopies: true,
        hasEmojiTags: true,
        ignoresUnderscores: true,
        hasMarkdownTitles: true,
        obeysParseLinks: true
    )
}

extension AppNetArea {
    /// The dialect of requests to addresses below this one.
    var dialect: Dialect { self == .pnut ? .pnut : .appNet }
}

// MARK: Names

extension Dialect {
    /// Returns the name of a type of annotations or channels.
    func name(ofType type: String) -> String { translation == nil ? type : PnutNames.pnut(type) }

    /// Returns the name of a type of events.
    func name(of event: AppNetEvent.Kind) -> String {
        translation == nil ? event.rawValue : PnutNames.pnutEvent(event.rawValue)
    }
}

// MARK: The edge

extension Dialect {
    /// Returns the head of a request in App.net's format.
    ///
    /// - Throws: ``AppNetFailure`` with 404 or 405 for calls that the dialect does not have.
    func routed(_ request: AppNetRequest) throws(AppNetFailure) -> AppNetRequest {
        guard let translation else { return request }
        return try translation.routed(request)
    }

    /// Returns the response of `endpoint` to a request, in the dialect's format.
    func reply(to request: AppNetRequest, by endpoint: AppNetEndpoint) async -> ServerReply {
        guard let translation else { return AppNetEnvelope.reply(await endpoint.reply(to: request), to: request) }
        return await translation.reply(to: request, by: endpoint)
    }

    /// Returns an error response in the dialect's format.
    ///
    /// - Parameter token: The token of the request. Its scopes are included in App.net's format.
    func refusal(
        _ failure: AppNetFailure,
        to request: AppNetRequest,
        of token: AppNetToken?,
        by endpoint: AppNetEndpoint
    ) -> ServerReply {
        guard let translation else {
            return AppNetEnvelope.reply(endpoint.refusal(failure, of: token), to: request)
        }
        return translation.refusal(failure, to: request)
    }

    /// Returns the parameters of a WebSocket handshake in App.net's format.
    func parameters(_ query: FormFields, of socket: AppNetHandshakeHandler.Endpoint.Kind) -> FormFields {
        translation == nil ? query : PnutParameters.translated(query, of: socket)
    }

    /// Returns the bytes of a stream's frame.
    ///
    /// - Parameter message: The frame in App.net's format.
    func frame(_ message: JSONValue) -> [UInt8] {
        let message = translation == nil ? message : PnutFrame.translated(message)
        return Array(message.text().utf8)
    }
}
