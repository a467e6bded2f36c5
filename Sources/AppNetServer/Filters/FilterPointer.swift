internal import HeliumJSON

/// A JSON Pointer (RFC 6901) in which `*` matches every element of a list, and `~2` is a literal `*`
/// (Docs/Protocols/AppNet.md §2.11).
struct FilterPointer: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case name(String)
        case every
    }

    /// The text as it was written.
    let text: String
    private let parts: [Part]

    /// Parses a pointer; `nil` if the text is neither empty nor begins with a slash.
    init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        self.text = text
        parts = text.split(atByte: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            if part == "*" { return .every }
            // The order matters: `~01` means `~1` and not a slash.
            let name = part.replacingBytes(of: "~2", with: "*").replacingBytes(of: "~1", with: "/")
            return .name(name.replacingBytes(of: "~0", with: "~"))
        }
    }

    /// Returns all values that the pointer matches.
    func values(in document: JSONValue) -> [JSONValue] {
        var found = [document]
        for part in parts {
            found = found.flatMap { value -> [JSONValue] in
                switch (part, value) {
                case (.every, .array(let elements)): elements
                case (.name(let name), .object): value[name].map { [$0] } ?? []
                case (.name(let name), .array(let elements)):
                    Int(name).flatMap { elements.indices.contains($0) ? [elements[$0]] : nil } ?? []
                default: []
                }
            }
        }
        return found
    }
}
