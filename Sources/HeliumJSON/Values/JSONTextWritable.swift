/// A value that is JSON already: an encoder takes its text as it is.
protocol JSONTextWritable {
    /// Appends the value as compact JSON: numbers as they stood, members in their order.
    func writeJSON(into text: inout [UInt8])
}

extension JSONValue: JSONTextWritable {
    func writeJSON(into text: inout [UInt8]) { JSONTextWriter.write(self, into: &text) }
}

extension JSONObject: JSONTextWritable {
    func writeJSON(into text: inout [UInt8]) { JSONTextWriter.write(.object(self), into: &text) }
}

extension JSONNumber: JSONTextWritable {
    func writeJSON(into text: inout [UInt8]) { JSONTextWriter.write(.number(self), into: &text) }
}
