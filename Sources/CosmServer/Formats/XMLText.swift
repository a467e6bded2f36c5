internal import HeliumServerKit

/// Writes XML element by element, everything escaped.
struct XMLText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// An element with children; attributes without a value are left out.
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

    /// An element with text.
    mutating func leaf(_ name: String, _ value: String) { leaf(name, [:], value) }

    /// An element with attributes and text.
    mutating func leaf(_ name: String, _ attributes: KeyValuePairs<String, String?>, _ value: String) {
        open(name, attributes)
        text += ">"
        text += Self.escaped(value)
        text += "</\(name)>"
    }

    /// An element with text, unless there is none.
    mutating func optionalLeaf(_ name: String, _ value: String?) { if let value { leaf(name, value) } }

    private mutating func open(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
        text += "<\(name)"
        for (name, value) in attributes { if let value { text += " \(name)=\"\(Self.escaped(value))\"" } }
    }

    /// Escapes what is markup, and leaves out the control characters that XML 1.0 cannot say.
    static func escaped(_ text: String) -> String { escapes.escaped(text) }

    private static let escapes: MarkupEscapes = [.quotes, .carriageReturns, .controls]
}
