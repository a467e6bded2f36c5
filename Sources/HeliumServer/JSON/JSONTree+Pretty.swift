extension JSONTree {
    /// The document indented by four blanks, with a line break at its end.
    var prettyText: String {
        var out = ""
        writePretty(to: &out, indent: "")
        return out + "\n"
    }

    private func writePretty(to out: inout String, indent: String) {
        let deeper = indent + "    "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            out += "[\n"
            for (index, element) in elements.enumerated() {
                out += deeper
                element.writePretty(to: &out, indent: deeper)
                out += index == elements.count - 1 ? "\n" : ",\n"
            }
            out += indent + "]"
        case .object(let members) where !members.isEmpty:
            out += "{\n"
            for (index, member) in members.enumerated() {
                out += deeper + JSONTree.string(member.name).text + ": "
                member.value.writePretty(to: &out, indent: deeper)
                out += index == members.count - 1 ? "\n" : ",\n"
            }
            out += indent + "}"
        default: out += text
        }
    }
}
