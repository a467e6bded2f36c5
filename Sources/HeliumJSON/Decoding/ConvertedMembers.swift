/// The members of an object by their names as a key strategy converts them. If a name occurs twice, the first member is
/// used.
struct ConvertedMembers {
    private(set) var indexes: [ByteText: Int] = [:]
    /// The names in document order.
    private(set) var names: [String] = []

    mutating func add(_ name: String, _ index: Int) {
        let key = ByteText(name)
        guard indexes[key] == nil else { return }
        indexes[key] = index
        names.append(name)
    }
}

extension JSONDocument {
    /// Returns an object's members by their converted names, and keeps the result for later calls.
    func convertedMembers(of object: Int) -> ConvertedMembers {
        if let known = converted[object] { return known }
        let path: [any CodingKey] = if case .custom = options.keys { path(to: object) } else { [] }
        var members = ConvertedMembers()
        forEachMember(of: object) { name, value in members.add(key(string(name), at: path).stringValue, value) }
        converted[object] = members
        return members
    }

    /// Returns the names of an object, each once, in document order.
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
