internal import HeliumServerKit

/// Writes XML and escapes texts.
struct XMLText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Writes an element with children. Attributes that are `nil` are left out.
    mutating func element(
        _ name: String,
        _ attributes: KeyValuePairs<String, String?> = [:],
        _ children: (inout XMLText) -> Void
    ) {
        open(name, attributes)
        text += ">"
        children(&self)
        text += "</\(name)>"
    }

    /// Writes an element with text.
    mutating func leaf(_ name: String, _ value: String) { leaf(name, [:], value) }

    /// Writes an element with attributes and text.
    mutating func leaf(_ name: String, _ attributes: KeyValuePairs<String, String?>, _ value: String) {
        open(name, attributes)
        text += ">"
        text += Self.escaped(value)
        text += "</\(name)>"
    }

    /// Writes an element with text, unless the text is `nil`.
    mutating func optionalLeaf(_ name: String, _ value: String?) { if let value { leaf(name, value) } }

    private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
        text += "<\(name)"
        for (name, value) in attributes { if let value { text += " \(name)=\"\(Self.escaped(value))\"" } }
    }

    /// Returns a text with markup escaped and without the control characters that XML 1.0 does not allow.
    static func escaped(_ text: String) -> String { escapes.escaped(text) }

    private static let escapes: MarkupEscapes = [.quotes, .carriageReturns, .controls]
}
