internal import HeliumJSON

/// A JSON Pointer (RFC 6901) in which `*` stands for every element of a list, and `~2` for a literal `*` (§2.11).
struct FilterPointer: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case name(String)
        case every
    }

    /// As it was written.
    let text: String
    private let parts: [Part]

    /// Nil for what is no pointer: it is empty or starts with a slash.
    init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        self.text = text
        parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            if part == "*" { return .every }
            // In this order: `~01` means `~1` and not a slash.
            let name = part.replacing("~2", with: "*").replacing("~1", with: "/").replacing("~0", with: "~")
            return .name(String(name))
        }
    }

    /// Everything that the pointer leads to.
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
