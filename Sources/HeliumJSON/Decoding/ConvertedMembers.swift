/// An object's members by their names as a key strategy converts them: of two with one name the first.
struct ConvertedMembers {
    private(set) var indexes: [ByteText: Int] = [:]
    /// The names in the order of the document.
    private(set) var names: [String] = []

    mutating func add(_ name: String, _ index: Int) {
        let key = ByteText(name)
        guard indexes[key] == nil else { return }
        indexes[key] = index
        names.append(name)
    }
}

extension JSONDocument {
    /// An object's members by their converted names, kept for the next question.
    func convertedMembers(of object: Int) -> ConvertedMembers {
        if let known = converted[object] { return known }
        let path: [any CodingKey] = if case .custom = options.keys { path(to: object) } else { [] }
        var members = ConvertedMembers()
        forEachMember(of: object) { name, value in members.add(key(string(name), at: path).stringValue, value) }
        converted[object] = members
        return members
    }

    /// An object's names, each once, in the order of the document.
    func names(of object: Int) -> [String] {
        guard usesNames else { return convertedMembers(of: object).names }
        var seen: Set<ByteText> = []
        var names: [String] = []
        forEachMember(of: object) { name, _ in
            let name = string(name)
            if seen.insert(name) { names.append(name) }
        }
        return names
    }
}
