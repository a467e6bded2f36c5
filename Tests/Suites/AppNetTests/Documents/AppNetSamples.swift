import AppNet
import Foundation
import HeliumJSON
import TestSupport

/// A document of `../shared/data/appnet` or of `Fixtures/appnet`, with what its name and content say.
struct AppNetSample: Sendable, CustomStringConvertible {
    let document: SharedDocuments.Document
    let kind: AppNetDocumentKind
    let shape: AppNetDocumentKind.Shape

    var description: String { document.name }

    /// All that are there and are of one of the kinds: without forms and the corpus.
    static let shared = samples(SharedDocuments.data("appnet"))
    static let fixtures = samples(SharedDocuments.fixtures("appnet"))

    private static func samples(_ documents: [SharedDocuments.Document]) -> [AppNetSample] {
        documents.compactMap { document in
            guard document.name.hasSuffix(".json"), !document.name.hasPrefix("auth."),
                document.name != "manifest.json", document.name != "entities-corpus.json",
                let json = try? JSONValue(parsing: document.contents),
                let kind = AppNetDocumentKind(named: "appnet.\(kind(document.name))")
            else { return nil }
            return AppNetSample(document: document, kind: kind, shape: shape(document.name, json))
        }
    }

    private static func shape(_ name: String, _ json: JSONValue) -> AppNetDocumentKind.Shape {
        if name.hasSuffix(".exchange.json") {
            return json["response"]?["body"]?["data"]?.arrayValue == nil ? .exchange : [.exchange, .list]
        }
        let isEvent = kind(name) == "event"
        if !isEvent, json["data"] != nil || json["meta"] != nil {
            return json["data"]?.arrayValue == nil ? .envelope : [.envelope, .list]
        }
        return json.arrayValue == nil ? [] : .list
    }

    /// The kinds by the beginnings of names, the first that fits.
    private static let kinds = [
        ("app-stream.create", "appStream"), ("app-stream.update", "appStream"), ("app-stream.get", "appStream"),
        ("app-stream.", "event"), ("user-stream.", "event"), ("annotations.", "annotation"),
        ("meta.net.patter", "channel"), ("meta.", "annotation"),
        ("guide.anatomy", "annotation"), ("file.attaching", "annotation"),
        ("channel.mark-all", "value"), ("channel.retrieve-number", "value"), ("channel.retrieve-user-ids", "value"),
        ("channel.retrieve-users", "user"), ("channel.", "channel"), ("config.resource", "value"),
        ("config.", "configuration"), ("entities.links", "text"), ("entities.mentions-in", "post"),
        ("entities.", "entities"), ("envelope.", "value"), ("explore.retrieve-all", "exploreStream"),
        ("explore.", "post"), ("file.derived", "value"), ("file.", "file"), ("filter.", "filter"),
        ("guide.create-a-broadcast", "channel"), ("guide.upload", "file"), ("guide.attach", "post"),
        ("guide.send", "message"), ("interaction.", "interaction"), ("message.", "message"), ("place.", "place"),
        ("post.", "post"), ("stream-marker.", "streamMarker"), ("text-processor.", "text"),
        ("token.retrieve-authorized-user-ids", "value"), ("token.", "token"), ("user.images", "image"),
        ("user.", "user"),
        ("wire.channel-messages", "message"), ("wire.channel-subscriber-ids", "value"),
        ("wire.channel-subscribers", "user"), ("wire.channel", "channel"), ("wire.config", "configuration"),
        ("wire.explore", "post"), ("wire.global", "post"), ("wire.message", "message"), ("wire.my-stream", "post"),
        ("wire.place", "place"), ("wire.post-stars", "user"), ("wire.post", "post"), ("wire.text", "text"),
        ("wire.unified", "post"), ("wire.user-following-ids", "value"), ("wire.users-me-channels", "channel"),
        ("wire.users-me-messages", "message"), ("wire.user", "user"),
    ]

    static func kind(_ name: String) -> String { kinds.first { name.hasPrefix($0.0) }?.1 ?? "" }
}
