internal import HeliumServerKit

/// The rules for the names and contents of files (Docs/Protocols/AppNet.md §2.4).
enum FileRules {
    /// The maximum number of derived files of a file, without the server's own thumbnails.
    static let maximumDerivedFiles = 32
    /// The keys of the square thumbnail and the large thumbnail.
    static let squareKey = "image_thumb_200s"
    static let largeKey = "image_thumb_960r"

    /// Returns whether a key is valid for a derived file: letters, digits and `_`, and not one of the server's own
    /// keys.
    static func isKey(_ key: String) -> Bool {
        1...64 ~= key.utf8.count && key.utf8.allSatisfy(Username.isNameByte) && !key.hasPrefix("core_")
    }

    /// Returns the reason why `content` cannot be a derived file with its key; `nil` if it can.
    static func refusal(of content: FileContent) -> String? {
        guard isKey(content.key) else { return "\(content.key.prefix(64)) cannot be the key of a derived file." }
        switch content.key {
        case squareKey where content.width != 200 || content.height != 200:
            return "\(squareKey) must be an image of exactly 200x200."
        case largeKey:
            guard let width = content.width, let height = content.height, width <= 640, height <= 960 else {
                return "\(largeKey) must be an image that fits into 640x960."
            }
            return nil
        default: return nil
        }
    }

    /// Returns the kind with which the media type begins; `other` if there is none.
    static func kind(ofMediaType type: String, among kinds: [String]) -> String {
        let type = HeaderParameters(type).value
        return kinds.first { type.hasPrefix("\($0)/") } ?? "other"
    }

    /// Returns whether `type` is valid in a header: `type/subtype` in printable ASCII.
    static func isMediaType(_ type: String) -> Bool {
        type.utf8.allSatisfy { 0x20..<0x7F ~= $0 } && HeaderParameters(type).value.split(separator: "/").count == 2
    }

    /// Returns a name such as `holiday_image_thumb_200s.png` for a derived file without a name.
    static func name(ofDerived key: String, root: String?, mediaType: String) -> String {
        let root = root ?? "file"
        // Searches the bytes, because finding the last character of a string takes more than linear time.
        let dot = root.utf8.lastIndex(of: UInt8(ascii: "."))
        let stem = dot.map { root[..<$0] } ?? root[...]
        let known = fileExtension(ofMediaType: mediaType)
        let own = dot.map { root[root.utf8.index(after: $0)...].description }
        guard let suffix = known ?? own, !suffix.isEmpty else { return "\(stem)_\(key)" }
        return "\(stem)_\(key).\(suffix)"
    }

    private static func fileExtension(ofMediaType type: String) -> String? {
        switch HeaderParameters(type).value {
        case "image/png": "png"
        case "image/jpeg": "jpg"
        case "image/gif": "gif"
        case "image/webp": "webp"
        case "text/plain": "txt"
        case "application/json": "json"
        case "application/pdf": "pdf"
        default: nil
        }
    }
}
