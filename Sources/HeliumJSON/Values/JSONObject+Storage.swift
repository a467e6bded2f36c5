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
        case .linear(let members): members.firstIndex { $0.name.isSame(as: name) }
        case .indexed(let indexed): indexed.names.index(of: name, in: indexed.members)
        }
    }

    /// Adds a member whose name there is not.
    mutating func append(_ name: String, _ value: JSONValue) {
        switch storage {
        case .linear(var members):
            storage = .linear([])  // So that the array is changed in place, here as below.
            members.append((name, value))
            storage = members.count <= Self.linearCount ? .linear(members) : .indexed(IndexedMembers(members))
        case .indexed:
            changeIndexed {
                if $0.names.insert(name, after: $0.members) { $0.members.append((name, value)) }
            }
        }
    }

    /// Returns the value there was.
    mutating func replaceValue(at index: Int, by value: JSONValue) -> JSONValue {
        var value = value
        switch storage {
        case .linear(var members):
            storage = .linear([])
            swap(&members[index].value, &value)
            storage = .linear(members)
        case .indexed:
            changeIndexed { swap(&$0.members[index].value, &value) }
        }
        return value
    }

    /// Removes a member and returns its value.
    @discardableResult
    mutating func remove(at index: Int) -> JSONValue {
        var members = members
        storage = .linear([])
        let value = members.remove(at: index).value
        self = JSONObject(unique: members)
        return value
    }

    private mutating func changeIndexed(_ change: (IndexedMembers) -> Void) {
        guard case .indexed(var indexed) = storage else { return }
        storage = .linear([])
        if !isKnownUniquelyReferenced(&indexed) {
            indexed = IndexedMembers(indexed.members, names: indexed.names)
        }
        change(indexed)
        storage = .indexed(indexed)
    }
}
