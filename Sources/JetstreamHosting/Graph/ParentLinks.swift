/// The objects that refer to an object, with the number of references from each. Most objects have one parent.
enum ParentLinks: Sendable {
    case none
    case one(Int, count: Int)
    case many([Int: Int])

    var isEmpty: Bool {
        if case .none = self { return true }
        return false
    }

    func contains(_ parent: Int) -> Bool {
        switch self {
        case .none: false
        case .one(let only, _): only == parent
        case .many(let counts): counts[parent] != nil
        }
    }

    mutating func add(_ parent: Int) {
        switch self {
        case .none:
            self = .one(parent, count: 1)
        case .one(parent, let count):
            self = .one(parent, count: count + 1)
        case .one(let other, let count):
            self = .many([other: count, parent: 1])
        case .many(var counts):
            self = .none
            counts[parent, default: 0] += 1
            self = .many(counts)
        }
    }

    /// Removes one link.
    ///
    /// - Returns: Whether it was the last link of this parent.
    mutating func remove(_ parent: Int) -> Bool {
        switch self {
        case .none:
            return false
        case .one(let only, let count):
            guard only == parent else { return false }
            self = count > 1 ? .one(only, count: count - 1) : .none
            return count == 1
        case .many(var counts):
            guard let count = counts[parent] else { return false }
            self = .none
            counts[parent] = count > 1 ? count - 1 : nil
            if counts.count > 1 {
                self = .many(counts)
            } else if let (only, count) = counts.first {
                self = .one(only, count: count)
            }
            return count == 1
        }
    }

    /// Returns the first of at most `limit` parents that satisfies a condition.
    ///
    /// The result may differ between runs, so use this only where any such parent is suitable.
    func first(of limit: Int = .max, where isWanted: (Int) -> Bool) -> Int? {
        switch self {
        case .none: nil
        case .one(let only, _): isWanted(only) ? only : nil
        case .many(let counts): counts.prefix(limit).first { isWanted($0.key) }?.key
        }
    }
}
