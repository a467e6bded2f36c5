internal import HeliumJSON

/// The fields of a query or of a form by name, decoded; of two with one name the last counts.
package struct FormFields: Hashable, Sendable {
    private var values: [ByteText: String] = [:]
    /// The fault of the first name or value that has one. Such a field is not kept, and its request is refused.
    package var fault: TextFault?

    package init() {}

    /// Reads the text behind the `?` of a URL, or a form's body.
    package init(query: Substring) {
        for (name, value) in FormText.pairs(of: query) {
            if let found = name.textFault ?? value.textFault {
                fault = fault ?? found
            } else {
                values[name] = value
            }
        }
    }

    /// All fields by name, empty ones too.
    package var all: [String: String] {
        // Names of one look may be of different bytes.
        Dictionary(values.map { ($0.key.string, $0.value) }) { _, last in last }
    }

    /// A field's value; an empty one counts as absent.
    package subscript(name: String) -> String? {
        get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { values[name] = newValue }
    }
}
