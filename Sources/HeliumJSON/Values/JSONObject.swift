/// An object's members by name, in the order of the document.
///
/// ```swift
/// var user: JSONObject = ["name": "mira", "followers": 12]
/// user["followers"] = 13
/// for (name, value) in user { print(name, value) }
/// ```
///
/// Names are told apart by their UTF-8 bytes (RFC 8259 section 8.3), so `é` of one scalar and of two are two names. Each
/// name comes once. Objects are equal if they have the same members, in whatever order.
///
/// It is one word, allocates nothing while it is empty, and copies share their members until one is changed. Finding a
/// member takes the same time however many there are; removing one takes as long as there are members.
public struct JSONObject: Sendable {
    /// A member.
    public typealias Element = (name: String, value: JSONValue)

    enum Storage: Sendable {
        /// Few members, found by looking at one after the other.
        case linear([Element])
        case indexed(IndexedMembers)
    }

    /// Up to how many members looking at each is as fast as an index, which takes memory.
    static let linearCount = 24

    var storage: Storage

    /// An object without members.
    public init() { storage = .linear([]) }

    /// An object of these members; of two with one name the first counts.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (name, value) in members where index(of: name) == nil { append(name, value) }
    }

    /// An object of members whose names the caller knows to differ.
    package init(distinct members: [Element]) { self.init(unique: members) }

    var members: [Element] {
        switch storage {
        case .linear(let members): members
        case .indexed(let indexed): indexed.members
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of these members; of two with one name the first counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}

// MARK: By name

extension JSONObject {
    /// The member with that name.
    ///
    /// Setting replaces its value where it stands or adds a member at the end; `nil` removes it (write `.null` for `null`).
    public subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        _modify {
            guard let index = index(of: name) else {
                var value: JSONValue?
                defer { if let value { append(name, value) } }
                yield &value
                return
            }
            // The value is taken out meanwhile, so that it is changed in place.
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

    /// The names, in the order of the members.
    public var names: Names { Names(members: members) }

    /// Removes a member and returns its value, `nil` if there was none.
    @discardableResult
    public mutating func removeValue(named name: String) -> JSONValue? {
        guard let index = index(of: name) else { return nil }
        return remove(at: index)
    }

    /// Adds another object's members.
    ///
    /// - Parameters:
    ///   - other: The other object.
    ///   - combine: The value for a name both have, from this object's value and the other's.
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

    /// This object with another's members: see ``merge(_:uniquingKeysWith:)``.
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
    /// Whether two objects have the same members, in whatever order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        let members = left.members
        let others = right.members
        guard members.count == others.count else { return false }
        for (position, member) in members.enumerated() {
            // Mostly the order is the same.
            let isThere = others[position].name.hasSameBytes(as: member.name)
            guard let index = isThere ? position : right.index(of: member.name), others[index].value == member.value
            else { return false }
        }
        return true
    }

    /// Hashes the members, whatever their order.
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

    /// `JSONObject({"name":"mira"})`.
    public var debugDescription: String { "JSONObject(\(description))" }
}
