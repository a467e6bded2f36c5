/// The members of an object by name, in document order.
///
/// ```swift
/// var user: JSONObject = ["name": "mira", "followers": 12]
/// user["followers"] = 13
/// for (name, value) in user { print(name, value) }
/// ```
///
/// Names are compared by their UTF-8 bytes (RFC 8259 §8.3), so an `é` of one scalar and an `é` of two scalars are two
/// names. Each name occurs once. Objects are equal if they have the same members in any order.
///
/// An object is one word and allocates no memory while it is empty. Copies share their members until one is changed.
/// Finding a member takes constant time; removing one takes time proportional to the number of members.
public struct JSONObject: Sendable {
    /// A member.
    public typealias Element = (name: String, value: JSONValue)

    enum Storage: Sendable {
        /// Few members, which are searched one after the other.
        case linear([Element])
        case indexed(IndexedMembers)
    }

    /// The number of members up to which a linear search is as fast as an index, which takes memory.
    static let linearCount = 24

    var storage: Storage

    /// Creates an object without members.
    public init() { storage = .linear([]) }

    /// Creates an object of these members. If a name occurs twice, the first member is used.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (name, value) in members where index(of: name) == nil { append(name, value) }
    }

    /// Creates an object of members whose names must be distinct.
    package init(distinct members: [Element]) { self.init(unique: members) }

    var members: [Element] {
        switch storage {
        case .linear(let members): members
        case .indexed(let indexed): indexed.members
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object of these members. If a name occurs twice, the first member is used.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}

// MARK: Access by name

extension JSONObject {
    /// The value of the member with this name; `nil` if there is none.
    ///
    /// Setting it replaces the value in place or adds a member at the end. Setting `nil` removes the member (use
    /// `.null` for `null`).
    public subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        _modify {
            guard let index = index(of: name) else {
                var value: JSONValue?
                defer { if let value { append(name, value) } }
                yield &value
                return
            }
            // The value is taken out of the object in the meantime, so that it is changed in place.
            var value: JSONValue? = replaceValue(at: index, by: .null)
            defer {
                if let value {
                    _ = replaceValue(at: index, by: value)
                } else {
                    remove(at: index)
                }
            }
            yield &value
        }
    }

    /// The names in the order of the members.
    public var names: Names { Names(members: members) }

    /// Removes a member and returns its value, or `nil` if there was none.
    @discardableResult
    public mutating func removeValue(named name: String) -> JSONValue? {
        guard let index = index(of: name) else { return nil }
        return remove(at: index)
    }

    /// Adds the members of another object.
    ///
    /// - Parameters:
    ///   - other: The other object.
    ///   - combine: Returns the value for a name that both objects have, from this object's value and the other's.
    public mutating func merge(
        _ other: JSONObject,
        uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows {
        for (name, value) in other.members {
            if let index = index(of: name) {
                _ = replaceValue(at: index, by: try combine(members[index].value, value))
            } else {
                append(name, value)
            }
        }
    }

    /// Returns this object with the members of another one added: see ``merge(_:uniquingKeysWith:)``.
    public func merging(
        _ other: JSONObject,
        uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows -> JSONObject {
        var merged = self
        try merged.merge(other, uniquingKeysWith: combine)
        return merged
    }
}

// MARK: Equality

extension JSONObject: Hashable {
    /// Returns whether two objects have the same members, in any order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        let members = left.members
        let others = right.members
        guard members.count == others.count else { return false }
        for (position, member) in members.enumerated() {
            // The order is usually the same.
            let isThere = others[position].name.hasSameBytes(as: member.name)
            guard let index = isThere ? position : right.index(of: member.name), others[index].value == member.value
            else { return false }
        }
        return true
    }

    /// Hashes the members, independent of their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, value) in members {
            var member = Hasher()
            name.hashBytes(into: &member)
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: CustomStringConvertible, CustomDebugStringConvertible {
    /// The object as compact JSON.
    public var description: String { JSONValue.object(self).description }

    /// A description such as `JSONObject({"name":"mira"})`.
    public var debugDescription: String { "JSONObject(\(description))" }
}
