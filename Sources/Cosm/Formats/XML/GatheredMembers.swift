internal import HeliumCore
internal import HeliumJSON

/// Members of an object while they are gathered, in the order of their first values. Several values with the same name
/// become an array.
///
/// The values of a name are gathered in an array of their own: a value that is appended to an array in a ``JSONObject``
/// copies the array, which takes quadratic time for a document that repeats an element.
struct GatheredMembers {
    private var members: [(name: String, values: [JSONValue])] = []
    private var positions: [ByteText: Int] = [:]

    /// Adds a value to those with the same name.
    mutating func add(_ name: String, _ value: JSONValue) { members[position(of: name)].values.append(value) }

    /// Replaces the values with a name.
    mutating func set(_ name: String, _ value: JSONValue) { members[position(of: name)].values = [value] }

    /// Removes the values with a name.
    mutating func remove(_ name: String) {
        if let position = positions[ByteText(name)] { members[position].values = [] }
    }

    /// The members as an object.
    var object: JSONObject {
        var object = JSONObject()
        for (name, values) in members where !values.isEmpty {
            object[name] = values.count == 1 ? values[0] : .array(values)
        }
        return object
    }

    private mutating func position(of name: String) -> Int {
        let key = ByteText(name)
        if let position = positions[key] { return position }
        positions[key] = members.count
        members.append((name, []))
        return members.count - 1
    }
}
