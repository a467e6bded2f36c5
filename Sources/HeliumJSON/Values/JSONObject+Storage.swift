/// Members with an index of their names.
///
/// `@unchecked Sendable`: its variables change only while a single object holds it and that object is being changed.
final class IndexedMembers: @unchecked Sendable {
    fileprivate(set) var members: [JSONObject.Element]
    fileprivate(set) var names: NameTable

    /// Creates an index of members with distinct names.
    init(_ members: [JSONObject.Element], names: NameTable? = nil) {
        self.members = members
        self.names = names ?? NameTable(of: members, capacity: members.count)
    }
}

extension JSONObject {
    /// Creates an object of members with distinct names.
    init(unique members: [Element]) {
        storage = members.count <= Self.linearCount ? .linear(members) : .indexed(IndexedMembers(members))
    }

    /// Creates an object of members with the table of their names.
    init(indexed members: [Element], _ names: NameTable) {
        storage = .indexed(IndexedMembers(members, names: names))
    }

    /// Returns the index of the member with this name, or `nil`.
    func index(of name: String) -> Int? {
        switch storage {
        case .linear(let members): members.firstIndex { $0.name.hasSameBytes(as: name) }
        case .indexed(let indexed): indexed.names.index(of: name, in: indexed.members)
        }
    }

    /// Adds a member. There must be none of this name.
    mutating func append(_ name: String, _ value: JSONValue) {
        if let indexed = takeIndexed() {
            if indexed.names.insert(name, after: indexed.members) { indexed.members.append((name, value)) }
            storage = .indexed(indexed)
        } else {
            var members = takeMembers()
            members.append((name, value))
            self = JSONObject(unique: members)
        }
    }

    /// Replaces a value and returns the previous one.
    mutating func replaceValue(at index: Int, by value: JSONValue) -> JSONValue {
        var value = value
        if let indexed = takeIndexed() {
            swap(&indexed.members[index].value, &value)
            storage = .indexed(indexed)
        } else {
            var members = takeMembers()
            swap(&members[index].value, &value)
            storage = .linear(members)
        }
        return value
    }

    /// Removes a member and returns its value.
    @discardableResult
    mutating func remove(at index: Int) -> JSONValue {
        var members = takeIndexed()?.members ?? takeMembers()
        let value = members.remove(at: index).value
        self = JSONObject(unique: members)
        return value
    }

    // These functions take the storage out of the object, so that it is changed in place. They are functions so that no
    // copy remains, even without optimization.

    /// Takes the indexed members, if there are any, held by this object alone.
    private mutating func takeIndexed() -> IndexedMembers? {
        guard case .indexed(var indexed) = storage else { return nil }
        storage = .linear([])
        if isKnownUniquelyReferenced(&indexed) { return indexed }
        return IndexedMembers(indexed.members, names: indexed.names)
    }

    /// Takes the members of a storage without an index.
    private mutating func takeMembers() -> [Element] {
        guard case .linear(let members) = storage else { return [] }
        storage = .linear([])
        return members
    }
}
