/// A value that is JSON already, which an encoder writes unchanged.
protocol JSONTextWritable {
    /// Appends the value as compact JSON, with numbers as they were written and members in their order.
    func writeJSON(into text: inout TextBuffer, escapingSlashes: Bool)
}

extension JSONValue: JSONTextWritable {
    func writeJSON(into text: inout TextBuffer, escapingSlashes: Bool) {
        JSONTextWriter.write(self, escapingSlashes: escapingSlashes, into: &text)
    }
}

extension JSONObject: JSONTextWritable {
    func writeJSON(into text: inout TextBuffer, escapingSlashes: Bool) {
        JSONValue.object(self).writeJSON(into: &text, escapingSlashes: escapingSlashes)
    }
}

extension JSONNumber: JSONTextWritable {
    func writeJSON(into text: inout TextBuffer, escapingSlashes: Bool) { text.append(number: self) }
}
