internal import HeliumJSON

/// The decoded fields of a query or a form, by name. The last of several fields with the same name is used.
package struct FormFields: Hashable, Sendable {
    private var values: [ByteText: String] = [:]
    /// The fault of the first invalid name or value. Such a field is not kept, and its request is rejected.
    package var fault: TextFault?

    package init() {}

    /// Parses the part of a URL after the `?`, or the body of a form.
    package init(query: Substring) {
        for (name, value) in FormText.pairs(of: query) {
            if let found = name.textFault ?? value.textFault {
                fault = fault ?? found
            } else {
                values[name] = value
            }
        }
    }

    /// All fields by name, including empty ones.
    package var all: [String: String] {
        // Names that compare equal as strings may have different bytes.
        Dictionary(values.map { ($0.key.string, $0.value) }) { _, last in last }
    }

    /// Returns the value of a field; `nil` if it is missing or empty.
    package subscript(name: String) -> String? {
        get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { values[name] = newValue }
    }
}
