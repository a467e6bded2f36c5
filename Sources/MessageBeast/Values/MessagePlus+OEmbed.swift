public import AppNet
public import Foundation
internal import HeliumJSON

extension MessagePlus {
    /// The embedded photos. Members of the wrong type are ignored.
    public var photoOEmbeds: [OEmbed] { oembeds(of: .photo) }

    /// The embedded HTML5 videos. Members of the wrong type are ignored.
    public var html5VideoOEmbeds: [OEmbed] { oembeds(of: .html5Video) }

    /// The first embedded photo.
    public var firstPhotoOEmbed: OEmbed? { photoOEmbeds.first }

    /// The first embedded HTML5 video.
    public var firstHTML5VideoOEmbed: OEmbed? { html5VideoOEmbeds.first }

    /// The URL of the first source of the first HTML5 video.
    public var firstHTML5VideoSourceURL: WebAddress? { firstHTML5VideoOEmbed?.sources?.first?.url }

    /// Whether the message has embedded content that the service has not expanded yet.
    public var hasOEmbedWithReplacementValue: Bool {
        annotations(of: MessageBeastNames.oembed).contains(where: Self.isReplacement)
    }

    private func oembeds(of kind: OEmbed.Kind) -> [OEmbed] {
        annotations(of: MessageBeastNames.oembed)
            .filter { !Self.isReplacement($0) && $0["type"]?.stringValue?.hasSameBytes(as: kind.rawValue) == true }
            .map { OEmbed(tolerating: $0) }
    }

    private func annotations(of type: String) -> [JSONObject] {
        (message.annotations ?? []).ofType(type).compactMap { $0.value?.objectValue }
    }

    private static func isReplacement(_ value: JSONObject) -> Bool {
        value[MessageBeastNames.fileReplacement] != nil
    }
}

extension OEmbed {
    /// Returns whether ``url`` has expired at a date; `false` if it never expires.
    public func isURLExpired(at date: Date) -> Bool { urlExpires.map { $0 <= date } ?? false }

    /// Creates embedded content from an annotation, ignoring unreadable members.
    init(tolerating value: JSONObject) {
        if let whole = try? HeliumJSONDecoder().decode(OEmbed.self, from: JSONValue.object(value).data()) {
            self = whole
            return
        }
        let readable = value.filter { name, value in
            let member = JSONValue.object([name: value])
            return (try? HeliumJSONDecoder().decode(OEmbed.self, from: member.data())) != nil
        }
        let data = JSONValue.object(JSONObject(readable.map { ($0.name, $0.value) })).data()
        self = (try? HeliumJSONDecoder().decode(OEmbed.self, from: data)) ?? OEmbed(type: nil)
    }
}
