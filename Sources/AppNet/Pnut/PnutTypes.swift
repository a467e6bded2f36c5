internal import HeliumJSON

/// Names of types in both dialects: pnut.io has those that it took over in its own namespace (§6.1, §6.3).
package enum PnutTypes {
    /// Pnut's name: `io.pnut.core.pm` for `net.app.core.pm`. Others stay as they are.
    package static func pnutName(of type: String) -> String {
        shared(type, prefix: appNetPrefix).map { pnutPrefix + $0 } ?? type
    }

    /// App.net's name.
    package static func appNetName(of type: String) -> String {
        shared(type, prefix: pnutPrefix).map { appNetPrefix + $0 } ?? type
    }

    private static let appNetPrefix = "net.app.core."
    private static let pnutPrefix = "io.pnut.core."

    private static func shared(_ type: String, prefix: String) -> String? {
        guard type.hasBytePrefix(prefix) else { return nil }
        let name = String(decoding: type.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        return names.contains(name) ? name : nil
    }

    private static let names: Set<ByteText> = [
        "pm", "oembed", "oembed.metadata", "attachments", "geolocation", "checkin", "crosspost", "language",
        "fallback_url", "channel.invite", "channel.metadata", "broadcast", "broadcast.metadata",
        "broadcast.message.metadata", "broadcast.icon", "broadcast.cover", "broadcast.freq", "phototag",
        "directory.blog", "directory.homepage", "directory.facebook", "directory.twitter",
    ]
}
