/// An object's members by their names as they stand.
struct KeyedTapeContainer<Key: CodingKey>: MemberContainer {
    let document: JSONDocument
    let object: Int

    @inline(__always)
    func find(_ key: Key) -> Int? {
        var name = key.stringValue
        return name.withUTF8 { document.member($0, of: object) }
    }

    var allKeys: [Key] {
        var seen: Set<String> = []
        var keys: [Key] = []
        document.forEachMember(of: object) { name, _ in
            let name = document.string(name)
            if seen.insert(name).inserted, let key = Key(stringValue: name) { keys.append(key) }
        }
        return keys
    }
}

/// An object's members by their names as a strategy converts them.
struct ConvertedKeysContainer<Key: CodingKey>: MemberContainer {
    let document: JSONDocument
    let object: Int
    private let members: [String: Int]
    private let names: [String]

    init(document: JSONDocument, object: Int) {
        self.document = document
        self.object = object
        let path: [any CodingKey] = if case .custom = document.options.keys { document.path(to: object) } else { [] }
        var members: [String: Int] = [:]
        var names: [String] = []
        document.forEachMember(of: object) { name, value in
            let name = document.key(document.string(name), at: path).stringValue
            guard members[name] == nil else { return }
            members[name] = value
            names.append(name)
        }
        self.members = members
        self.names = names
    }

    func find(_ key: Key) -> Int? { members[key.stringValue] }

    var allKeys: [Key] { names.compactMap(Key.init(stringValue:)) }
}
