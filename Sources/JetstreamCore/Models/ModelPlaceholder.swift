internal import Foundation
internal import HeliumJSON

/// An object of an unknown class, kept with its members and references (Docs/Protocols/Jetstream.md §2.7).
final class ModelPlaceholder: ModelObject {
    static let modelSchema = ModelSchema("", of: ModelPlaceholder.self) { [] }

    let modelNode = ModelNode()

    /// The name of the class on the wire.
    var placeholderClassName = ""

    /// The received members.
    var members: JSONObject = [:]

    /// The known objects that members refer to, by member name.
    private(set) var references: [(name: String, objects: [any ModelObject])] = []

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        for index in references.indices { Self.release(&references[index].objects) }
    }

    private static func release(_ objects: inout [any ModelObject]) {
        var taken = objects
        objects = []
        ModelTeardown.free(&taken)
    }

    /// Removes the references of an object that is being freed.
    func takeObjects(_ body: (any ModelObject) -> Void) {
        for reference in references { reference.objects.forEach(body) }
        references = []
        modelNode.beginTeardown()
    }

    /// Restores removed references.
    func putBack(_ taken: [(name: String, objects: [any ModelObject])]) { references = taken }

    /// Sets members. Texts, and arrays of texts, that are identifiers of known objects are treated as references.
    func set(_ new: JSONObject, _ source: ModelSource) {
        for (name, value) in new {
            members[name] = value
            var objects: [any ModelObject] = []
            switch value {
            case .string(let id):
                if let object = source.object(id) { objects.append(object) }
            case .array(let elements):
                for case .string(let id) in elements {
                    if let object = source.object(id) { objects.append(object) }
                }
            default:
                break
            }
            let position = references.firstIndex { $0.name.hasSameBytes(as: name) }
            let old = position.map { references[$0].objects } ?? []
            if let position {
                references[position].objects = objects
            } else if !objects.isEmpty {
                references.append((name, objects))
            }
            // All references of a placeholder are reported under one property.
            modelNode.reportReferences(self, 0, .between(old, objects))
        }
    }

    /// Calls `body` with each object that members refer to.
    func forEachObject(_ body: (any ModelObject) -> Void) {
        for reference in references { reference.objects.forEach(body) }
    }
}

extension ModelObject {
    /// Whether the object is a placeholder for one of an unknown class.
    @usableFromInline var isPlaceholder: Bool { modelNode.flags.contains(.isPlaceholder) }
}

extension ModelDifference {
    /// Returns the elements that differ, without the common beginning and the common end of both arrays.
    static func between(_ old: [any ModelObject], _ new: [any ModelObject]) -> ModelDifference {
        let shorter = Swift.min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] === new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] === new[new.count - 1 - end] { end += 1 }
        return ModelDifference(
            removed: Array(old[start..<(old.count - end)]),
            added: Array(new[start..<(new.count - end)]),
            start: start
        )
    }
}
