internal import HeliumJSON

/// The objects of a scope: their properties, who refers to whom, and which of them the root reaches.
///
/// Changes are written in a journal, so that a change set that is refused can be undone. ``settle()`` ends a transaction:
/// it removes the objects that the root no longer reaches, directly or through others.
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
        /// The parent by which the root is reached, or -1. These links form a tree: following them ends at the root.
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
    /// The bytes of text and references in all values.
    private(set) var byteCount = 0
    /// Objects that have lost their ``Node/via``, or never had one.
    private var lost: [Int] = []
    /// The links that the transaction has made: where an object that lost its way to the root most likely has another.
    private var made: [(parent: Int, child: Int)] = []
    /// The objects that the last ``settle()`` searched and kept, without new ones. Removed and new objects were sent for each
    /// search; these can be searched again and again.
    private(set) var searchedInVain = 0
    private var free: [Int] = []
    /// Handles that are free when the transaction ends.
    private var freed: [Int] = []
    /// The handle of the root, which is the first object created.
    let root = 0

    /// The number of objects.
    var count: Int { handles.count }

    func handle(of id: ObjectID) -> Int? { handles[id] }

    subscript(handle: Int) -> Node { nodes[handle] }
}

// MARK: Changing

extension ObjectGraph {
    /// Creates an object with these values, none of which refers to another object.
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
    /// - Returns: Whether the value differs from the one before.
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
        // New links first: an object that stays keeps its place in the tree.
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

    /// Takes an object out that nothing refers to. Its own references go with it.
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

    /// Ends the transaction: forgets how to undo it.
    mutating func closeJournal() {
        journal = []
        made = []
        free += freed
        freed = []
    }
}

// MARK: Reachability

extension ObjectGraph {
    /// The steps that a quick search for the root takes.
    private static let quickSteps = 64
    /// The parents that a quick search tries.
    private static let quickParents = 8

    /// Removes the objects that the root does not reach any more, in cycles too.
    ///
    /// It looks at the objects that lost their way to the root and those below them, not at the whole scope: each of them is
    /// removed, or has another way, which is mostly found at once.
    ///
    /// - Returns: The identifiers of the removed objects.
    mutating func settle() -> [ObjectID] {
        searchedInVain = 0
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
        searchedInVain = max(searchedInVain - unreached.count - createdCount, 0)
        // In an order that does not depend on the way of the search.
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

    /// The parents that the transaction gave to objects that lost their way to the root. It takes as long as the transaction
    /// has links.
    private func newParentsOfLost() -> [Int: [Int]] {
        guard !lost.isEmpty, !made.isEmpty else { return [:] }
        let wanted = Set(lost)
        var parents: [Int: [Int]] = [:]
        for (parent, child) in made where wanted.contains(child) { parents[child, default: []].append(parent) }
        return parents
    }

    /// Whether following the tree from an object leads to the root within a few steps.
    private func isRooted(_ handle: Int) -> Bool {
        var handle = handle
        for _ in 0..<Self.quickSteps {
            if handle == root { return true }
            handle = nodes[handle].via
            if handle < 0 { return false }
        }
        return false
    }

    /// Looks for another way to the root for objects that have none, and for those below them in the tree.
    ///
    /// - Returns: The objects without a way.
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
        // Whoever is not below an open object is in the tree.
        var found: [Int] = []
        for handle in suspects {
            guard let parent = nodes[handle].parents.first(where: { !unreached.contains($0) }) else { continue }
            nodes[handle].via = parent
            found.append(handle)
        }
        searchedInVain = suspects.count
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

    /// The bytes that the value takes beside its place in the object, about.
    var byteCount: Int {
        switch self {
        case .scalar(let value): value.byteCount
        case .reference: 0
        case .references(let handles): handles.count * 8
        }
    }
}

extension JSONValue {
    /// The bytes of the texts in a scalar or an array of scalars, and the places of the elements.
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .number(let number): number.description.utf8.count
        case .array(let elements): elements.reduce(elements.count * 24) { $0 + $1.byteCount }
        default: 0
        }
    }
}
