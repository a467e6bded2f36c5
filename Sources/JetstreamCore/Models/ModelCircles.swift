internal import Foundation
internal import HeliumJSON

/// Frees reference cycles of objects, which reference counting does not free.
///
/// To find out whether anything else holds a cycle, the references within it are removed: an object without other
/// owners then has no references left. If the cycle has other owners, its references are restored. Observers are not
/// notified.
///
/// The time is proportional to the number of objects and references.
enum ModelCircles {
    /// Frees those of the objects that are only held by each other.
    ///
    /// - Parameter objects: Objects that are in no scope. The array is emptied.
    static func free(_ objects: inout [any ModelObject]) {
        if objects.isEmpty { return }
        var members = Members(objects)
        objects = []
        for group in members.groups() {
            if group.isCircle { members.breakUp(group.indexes) }
            members.release(group.indexes)
        }
    }
}

/// Objects that may be freed.
private struct Members {
    /// One object, or several objects that can reach each other.
    struct Group {
        var indexes: [Int]
        var isCircle: Bool
    }

    private var objects: [OwnedObject] = []
    private var indexes: [ObjectIdentifier: Int] = [:]

    init(_ all: [any ModelObject]) {
        for object in all where indexes[ObjectIdentifier(object.modelNode)] == nil {
            indexes[ObjectIdentifier(object.modelNode)] = objects.count
            objects.append(OwnedObject(object))
        }
    }

    mutating func release(_ group: [Int]) {
        for index in group { objects[index].object = nil }
    }

    /// Removes the references within a cycle, and restores them if something else holds one of its objects.
    mutating func breakUp(_ group: [Int]) {
        let members = Set(group.map { ObjectIdentifier(objects[$0].node) })
        var others: [ModelID: any ModelObject] = [:]
        var places: [ModelID: Int] = [:]
        for index in group {
            guard places.updateValue(index, forKey: objects[index].node.uuid) == nil else { return }
        }
        // References are restored by identifier, so the identifiers must be unambiguous.
        for index in group {
            var isClear = true
            objects[index].node.forEachChild { child in
                let node = child.modelNode
                if members.contains(ObjectIdentifier(node)) { return }
                let known = others.updateValue(child, forKey: node.uuid)
                if places[node.uuid] != nil || !(known == nil || known === child) { isClear = false }
            }
            if !isClear { return }
        }
        let taken = group.map { objects[$0].node.takeReferences() }
        let isHeld = group.contains { !isKnownUniquelyReferenced(&objects[$0].object) }
        guard isHeld else { return }
        let source = ModelSource { [objects] id in
            places[id].flatMap { objects[$0].node.model } ?? others[id]
        }
        for (index, taken) in zip(group, taken) { objects[index].node.putBack(taken, source) }
    }

    /// Returns the objects in groups, each before the groups that it refers to: Tarjan's strongly connected components.
    func groups() -> [Group] {
        let children = objects.indices.map(children)
        var search = ComponentSearch(children: children)
        return search.components().reversed().map { component in
            Group(indexes: component, isCircle: component.count > 1 || children[component[0]].contains(component[0]))
        }
    }

    private func children(of index: Int) -> [Int] {
        var found: [Int] = []
        objects[index].node.forEachChild { child in
            if let place = indexes[ObjectIdentifier(child.modelNode)] { found.append(place) }
        }
        return found
    }
}

/// Tarjan's search for the strongly connected components of a graph, without recursion.
private struct ComponentSearch {
    let children: [[Int]]
    private var numbers: [Int]
    private var lowest: [Int]
    private var isOpen: [Bool]
    private var open: [Int] = []
    private var lastNumber = 0

    init(children: [[Int]]) {
        self.children = children
        numbers = Array(repeating: 0, count: children.count)
        lowest = numbers
        isOpen = Array(repeating: false, count: children.count)
    }

    /// Returns the components, each after those that it refers to.
    mutating func components() -> [[Int]] {
        var components: [[Int]] = []
        var path: [(node: Int, next: Int)] = []
        for start in children.indices where numbers[start] == 0 {
            enter(start)
            path.append((start, 0))
            while let (node, next) = path.last {
                if next < children[node].count {
                    path[path.count - 1].next += 1
                    let child = children[node][next]
                    if numbers[child] == 0 {
                        enter(child)
                        path.append((child, 0))
                    } else if isOpen[child] {
                        lowest[node] = min(lowest[node], numbers[child])
                    }
                    continue
                }
                path.removeLast()
                if let (parent, _) = path.last { lowest[parent] = min(lowest[parent], lowest[node]) }
                if lowest[node] == numbers[node] { components.append(close(node)) }
            }
        }
        return components
    }

    private mutating func enter(_ node: Int) {
        lastNumber += 1
        numbers[node] = lastNumber
        lowest[node] = lastNumber
        isOpen[node] = true
        open.append(node)
    }

    private mutating func close(_ node: Int) -> [Int] {
        var component: [Int] = []
        while let member = open.popLast() {
            isOpen[member] = false
            component.append(member)
            if member == node { break }
        }
        return component
    }
}
