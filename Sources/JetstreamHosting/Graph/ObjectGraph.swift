internal import HeliumJSON

/// The objects of a scope: their properties, the links between them, and their reachability from the root.
///
/// Changes are recorded in a journal, so that a rejected change set can be undone. ``settle()`` ends a transaction: it
/// removes the objects that the root no longer reaches, directly or through others.
struct ObjectGraph: Sendable {
    /// A property's value.
    enum Value: Hashable, Sendable {
        case scalar(JSONValue)
        case reference(Int?)
        case references([Int])
    }

    struct Node: Sendable {
        let id: ObjectID
        let classIndex: Int
        var values: [Value]
        var parents = ParentLinks.none
        /// The parent through which the root is reached, or -1. These links form a tree: following them ends at the
        /// root.
        var via = -1
        var isAlive = true
    }

    /// A step that can be undone.
    enum Step: Sendable {
        case created(Int)
        case changed(Int, slot: Int, old: Value)
    }

    private(set) var nodes: [Node] = []
    private(set) var handles: [ObjectID: Int] = [:]
    private(set) var journal: [Step] = []
    /// The size of text and references in all values, in bytes.
    private(set) var byteCount = 0
    /// The objects that lost their ``Node/via`` or never had one.
    private var lost: [Int] = []
    /// The links made in the transaction. An object that lost its path to the root most likely has another one through
    /// them.
    private var made: [(parent: Int, child: Int)] = []
    /// The number of objects that the last ``settle()`` searched and kept, without new ones. Removed and new objects
    /// were sent by the client for each search; kept objects can be searched repeatedly.
    private(set) var keptAfterSearch = 0
    private var free: [Int] = []
    /// The handles that become free when the transaction ends.
    private var freed: [Int] = []
    /// The handle of the root, which is the first created object.
    let root = 0

    /// The number of objects.
    var count: Int { handles.count }

    func handle(of id: ObjectID) -> Int? { handles[id] }

    subscript(handle: Int) -> Node { nodes[handle] }
}

// MARK: Changing

extension ObjectGraph {
    /// Creates an object with given values, none of which may refer to another object.
    mutating func create(_ id: ObjectID, classIndex: Int, values: [Value]) -> Int {
        let node = Node(id: id, classIndex: classIndex, values: values)
        for value in values { byteCount += value.byteCount }
        let handle: Int
        if let reused = free.popLast() {
            handle = reused
            nodes[handle] = node
        } else {
            handle = nodes.count
            nodes.append(node)
        }
        handles[id] = handle
        lost.append(handle)
        journal.append(.created(handle))
        return handle
    }

    /// Sets a property.
    ///
    /// - Returns: Whether the value changed.
    @discardableResult
    mutating func set(_ handle: Int, slot: Int, to value: Value) -> Bool {
        let old = nodes[handle].values[slot]
        guard old != value else { return false }
        journal.append(.changed(handle, slot: slot, old: old))
        replace(handle, slot, old, by: value)
        return true
    }

    private mutating func replace(_ handle: Int, _ slot: Int, _ old: Value, by value: Value) {
        nodes[handle].values[slot] = value
        byteCount += value.byteCount - old.byteCount
        // New links are added first, so that an object that stays keeps its position in the tree.
        value.forEachHandle {
            nodes[$0].parents.add(handle)
            made.append((handle, $0))
        }
        old.forEachHandle { removeLink(from: handle, to: $0) }
    }

    private mutating func removeLink(from parent: Int, to child: Int) {
        guard nodes[child].parents.remove(parent), nodes[child].via == parent else { return }
        nodes[child].via = -1
        lost.append(child)
    }

    /// Removes an object that nothing refers to, together with its references.
    mutating func discard(_ handle: Int) {
        guard nodes[handle].isAlive else { return }
        for slot in nodes[handle].values.indices {
            set(handle, slot: slot, to: nodes[handle].values[slot].withoutHandles)
        }
        release(handle)
    }

    private mutating func release(_ handle: Int) {
        for value in nodes[handle].values { byteCount -= value.byteCount }
        handles[nodes[handle].id] = nil
        nodes[handle].isAlive = false
        nodes[handle].values = []
        nodes[handle].parents = .none
        freed.append(handle)
    }

    /// Undoes all steps after the first `count`.
    mutating func rollBack(to count: Int = 0) {
        while journal.count > count, let step = journal.popLast() {
            switch step {
            case .created(let handle):
                if nodes[handle].isAlive { release(handle) }
            case .changed(let handle, let slot, let old):
                guard nodes[handle].isAlive else { continue }
                replace(handle, slot, nodes[handle].values[slot], by: old)
            }
        }
    }

    /// Ends the transaction by clearing the journal.
    mutating func closeJournal() {
        journal = []
        made = []
        free += freed
        freed = []
    }
}

// MARK: Reachability

extension ObjectGraph {
    /// The number of steps of a quick search for the root.
    private static let quickSteps = 64
    /// The number of parents that a quick search tries.
    private static let quickParents = 8

    /// Removes the objects that the root no longer reaches, including cycles.
    ///
    /// It examines the objects that lost their path to the root and the objects below them, not the whole scope. Each
    /// of them is removed or has another path, which is mostly found at once.
    ///
    /// - Returns: The identifiers of the removed objects.
    mutating func settle() -> [ObjectID] {
        keptAfterSearch = 0
        var open: [Int] = []
        let newParents = newParentsOfLost()
        for handle in lost where handle != root && nodes[handle].isAlive && nodes[handle].via < 0 {
            let parents = nodes[handle].parents
            if let parent = newParents[handle]?.first(where: { parents.contains($0) && isRooted($0) })
                ?? parents.first(of: Self.quickParents, where: { isRooted($0) })
            {
                nodes[handle].via = parent
            } else {
                open.append(handle)
            }
        }
        lost = []
        guard !open.isEmpty else { return [] }
        let unreached = unreached(below: open)
        let createdCount = journal.count { if case .created = $0 { true } else { false } }
        keptAfterSearch = max(keptAfterSearch - unreached.count - createdCount, 0)
        // The order does not depend on the order of the search.
        return unreached.sorted().map { handle in
            let id = nodes[handle].id
            for value in nodes[handle].values {
                value.forEachHandle { child in
                    if !unreached.contains(child) { _ = nodes[child].parents.remove(handle) }
                }
            }
            release(handle)
            return id
        }
    }

    /// Returns the parents that the transaction gave to objects that lost their path to the root. The time is
    /// proportional to the number of the transaction's links.
    private func newParentsOfLost() -> [Int: [Int]] {
        guard !lost.isEmpty, !made.isEmpty else { return [:] }
        let wanted = Set(lost)
        var parents: [Int: [Int]] = [:]
        for (parent, child) in made where wanted.contains(child) { parents[child, default: []].append(parent) }
        return parents
    }

    /// Returns whether following the tree from an object leads to the root within a few steps.
    private func isRooted(_ handle: Int) -> Bool {
        var handle = handle
        for _ in 0..<Self.quickSteps {
            if handle == root { return true }
            handle = nodes[handle].via
            if handle < 0 { return false }
        }
        return false
    }

    /// Searches another path to the root for objects that have none, and for objects below them in the tree.
    ///
    /// - Returns: The objects without a path.
    private mutating func unreached(below open: [Int]) -> Set<Int> {
        var suspects: [Int] = []
        var unreached: Set<Int> = []
        var stack = open
        while let handle = stack.popLast() {
            guard unreached.insert(handle).inserted else { continue }
            suspects.append(handle)
            for value in nodes[handle].values {
                value.forEachHandle { if nodes[$0].via == handle { stack.append($0) } }
            }
        }
        // Objects that are not below an open object are in the tree.
        var found: [Int] = []
        for handle in suspects {
            guard let parent = nodes[handle].parents.first(where: { !unreached.contains($0) }) else { continue }
            nodes[handle].via = parent
            found.append(handle)
        }
        keptAfterSearch = suspects.count
        for handle in found { unreached.remove(handle) }
        while let handle = found.popLast() {
            for value in nodes[handle].values {
                value.forEachHandle { child in
                    guard unreached.remove(child) != nil else { return }
                    nodes[child].via = handle
                    found.append(child)
                }
            }
        }
        return unreached
    }
}

// MARK: Values

extension ObjectGraph.Value {
    func forEachHandle(_ body: (Int) -> Void) {
        switch self {
        case .scalar: break
        case .reference(let handle): if let handle { body(handle) }
        case .references(let handles): for handle in handles { body(handle) }
        }
    }

    var withoutHandles: Self {
        switch self {
        case .scalar: self
        case .reference: .reference(nil)
        case .references: .references([])
        }
    }

    /// The approximate size of the value in bytes, beyond its slot in the object.
    var byteCount: Int {
        switch self {
        case .scalar(let value): value.byteCount
        case .reference: 0
        case .references(let handles): handles.count * 8
        }
    }
}

extension JSONValue {
    /// The size of the texts in a scalar or an array of scalars and of the array's elements, in bytes.
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .number(let number): number.description.utf8.count
        case .array(let elements): elements.reduce(elements.count * 24) { $0 + $1.byteCount }
        default: 0
        }
    }
}
