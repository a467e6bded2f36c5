/// Members with an index of their names.
///
/// Its variables change only while one object alone holds it, and that object is being changed: that makes it Sendable.
final class IndexedMembers: @unchecked Sendable {
    fileprivate(set) var members: [JSONObject.Element]
    fileprivate(set) var names: NameTable

    /// Members whose names differ.
    init(_ members: [JSONObject.Element], names: NameTable? = nil) {
        self.members = members
        self.names = names ?? NameTable(of: members, capacity: members.count)
    }
}

extension JSONObject {
    /// Members whose names differ.
    init(unique members: [Element]) {
        storage = members.count <= Self.linearCount ? .linear(members) : .indexed(IndexedMembers(members))
    }

    /// Members with the table of their names.
    init(indexed members: [Element], _ names: NameTable) {
        storage = .indexed(IndexedMembers(members, names: names))
    }

    /// Where the member with that name is.
    func index(of name: String) -> Int? {
        switch storage {
        case .linear(let members): members.firstIndex { $0.name.hasSameBytes(as: name) }
        case .indexed(let indexed): indexed.names.index(of: name, in: indexed.members)
        }
    }

    /// Adds a member whose name there is not.
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

    /// Returns the value there was.
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

    // What is taken leaves nothing here, so that it is changed in place. That these are functions makes sure that no copy
    // is left, without optimization too.

    /// The indexed members, if there are, for this object alone.
    private mutating func takeIndexed() -> IndexedMembers? {
        guard case .indexed(var indexed) = storage else { return nil }
        storage = .linear([])
        if isKnownUniquelyReferenced(&indexed) { return indexed }
        return IndexedMembers(indexed.members, names: indexed.names)
    }

    /// The members without an index.
    private mutating func takeMembers() -> [Element] {
        guard case .linear(let members) = storage else { return [] }
        storage = .linear([])
        return members
    }
}
