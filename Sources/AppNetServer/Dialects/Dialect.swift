internal import HeliumJSON
internal import HeliumServerKit

/// One of the two forms of the API: App.net's or pnut.io's (AppNet.md §6).
///
/// The server behind the edge speaks App.net's form. A dialect translates requests, replies and frames at the edge, and
/// names the facts that are different behind it. Code outside of this folder asks for a fact; it does not compare dialects.
struct Dialect: Hashable, Sendable {
    /// The rules for reading texts.
    let text: TextRules
    /// The names in braces that stand for the id of a post or a message in its links.
    let postTemplate: String
    let messageTemplate: String
    /// The kinds of files besides `other`; each is also the first part of its media types.
    let fileKinds: [String]
    /// Whether `+net.app.core.poll` is a replacement value.
    let replacesPolls: Bool
    /// Whether attached files are shown in another form than the stored one, so that it cannot be found in what a client
    /// sends back.
    let reshapesAttachments: Bool
    /// Whether objects and frames have the members that pnut.io added (§6.3).
    let extendsObjects: Bool
    /// Whether calls take the parameters that pnut.io added: `exclude_channel_types`, `include_limited_users`,
    /// `created_after`, `created_before`, and `channel_types` for muted channels.
    let extendsParameters: Bool
    /// The actions that a user's interactions list, in App.net's names.
    let interactions: Set<String>
    /// The most subscriptions of one user stream.
    let maximumSubscriptions: Int
    let appStreams: AppStreamRules
    /// The translation to App.net's form; `nil` if this is that form.
    private let translation: PnutTranslation?

    /// The rules for app streams (§2.13, §6.2).
    struct AppStreamRules: Hashable, Sendable {
        /// Whether all tokens of an app share its streams. If not, a stream belongs to the token that made it.
        let belongToApps: Bool
        /// Whether streams are named by keys, which cannot be changed, and have no filters. If not, they are named by ids.
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
    /// The name of a type of annotations or channels.
    func name(ofType type: String) -> String { translation == nil ? type : PnutNames.pnut(type) }

    /// The name of a type of events.
    func name(of event: AppNetEvent.Kind) -> String {
        translation == nil ? event.rawValue : PnutNames.pnutEvent(event.rawValue)
    }
}

// MARK: The edge

extension Dialect {
    /// The head of a request in App.net's form.
    ///
    /// - Throws: ``AppNetFailure`` with 404 or 405 for calls that the dialect does not have.
    func routed(_ request: AppNetRequest) throws(AppNetFailure) -> AppNetRequest {
        guard let translation else { return request }
        return try translation.routed(request)
    }

    /// The reply of `endpoint` to a request, in the dialect's form.
    func reply(to request: AppNetRequest, by endpoint: AppNetEndpoint) async -> ServerReply {
        guard let translation else { return AppNetEnvelope.reply(await endpoint.reply(to: request), to: request) }
        return await translation.reply(to: request, by: endpoint)
    }

    /// A refusal in the dialect's form.
    ///
    /// - Parameter token: The request's token, whose scopes App.net's form names.
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

    /// The parameters of a WebSocket's handshake in App.net's form.
    func parameters(_ query: FormFields, of socket: AppNetLiveGate.Endpoint.Kind) -> FormFields {
        translation == nil ? query : PnutParameters.translated(query, of: socket)
    }

    /// The bytes of a stream's frame.
    ///
    /// - Parameter message: The frame in App.net's form.
    func frame(_ message: JSONValue) -> [UInt8] {
        let message = translation == nil ? message : PnutFrame.translated(message)
        return Array(message.text().utf8)
    }
}
