import Foundation
import HeliumJSON
import JetstreamCore

/// A copy of a tree, made of what observers report: an object's properties when it enters, and each property that changes.
final class ObservedCopy {
    private let root: Folder
    /// Takes a line for each report.
    private let note: (String) -> Void
    /// Calls observers at the end of a turn; `nil` calls them at once.
    private let turn: Turn?
    private var objects: [String: [String: String]] = [:]
    private var watched: Set<ObjectIdentifier> = []

    init(of root: Folder, turn: Turn?, note: @escaping (String) -> Void) {
        self.root = root
        self.note = note
        self.turn = turn
        watch(root)
        take(root)
    }

    /// The copy, a line for each object.
    var lines: [String] {
        objects.map { id, values in TreeText.line(id, values) }.sorted()
    }

    private func name(of object: any ModelObject) -> String { object === root ? TreeText.root : object.uuid.wireForm }

    /// Copies all properties of an object.
    private func take(_ object: any ModelObject) {
        objects[name(of: object)] = [:]
        for key in TreeText.allKeys(of: object) { copy(key, of: object) }
    }

    private func copy(_ key: String, of object: any ModelObject) {
        let name = name(of: object)
        guard objects[name] != nil else { return }
        let value = TreeText.value(of: object, key, root: root)
        objects[name]?[key] = value
        note("\(name) \(key)=\(value)")
        for child in TreeText.children(of: object, key) where !watched.contains(ObjectIdentifier(child)) {
            watch(child)
            if child.scope != nil { take(child) }
        }
    }

    private func watch(_ object: any ModelObject) {
        watched.insert(ObjectIdentifier(object))
        for key in TreeText.allKeys(of: object) {
            if let turn {
                object.observeChange(self, key: key, on: turn) { [weak self, weak object] in
                    if let self, let object { copy(key, of: object) }
                }
            } else {
                object.observeChangeImmediately(self, key: key) { [weak self, weak object] in
                    if let self, let object { copy(key, of: object) }
                }
            }
        }
        object.observeAttach(self) { [weak self, weak object] _ in
            // Another observer may have removed it again.
            if let self, let object, object.scope != nil { take(object) }
        }
        object.observeDetach(self) { [weak self, weak object] _ in
            // Another observer may have brought it back.
            guard let self, let object, object.scope == nil else { return }
            objects[name(of: object)] = nil
            note("\(name(of: object)) leaves")
        }
        kept.append(object)
    }

    /// Objects whose identities must not be used again.
    private(set) var kept: [any ModelObject] = []
}

/// The text of trees, by which they are compared.
enum TreeText {
    /// The root's name: its identifier changes with the server's store, which no property reports.
    static let root = "root"

    /// The tree of a client, with local properties.
    static func lines(of scope: Scope, root: Folder) -> [String] {
        scope.allObjects.map { object in
            var values: [String: String] = [:]
            for key in allKeys(of: object) { values[key] = value(of: object, key, root: root) }
            return line(object === root ? Self.root : object.uuid.wireForm, values)
        }.sorted()
    }

    /// The part of a client's tree to which synced properties lead. Weak references to other objects are left out, because
    /// the tree may not have these.
    static func syncedLines(below root: Folder) -> [String] {
        let objects = syncedObjects(below: root)
        let members = Set(objects.map { ObjectIdentifier($0) })
        return objects.map { object in
            var values: [String: String] = [:]
            for key in keys(of: object) { values[key] = value(of: object, key, root: root) }
            if let folder = object as? Folder {
                let favorite = folder.favorite.flatMap { members.contains(ObjectIdentifier($0)) ? $0 : nil }
                values[weakKey] = text(of: references(favorite.map { [$0] } ?? [], isArray: false, root))
            }
            return line(object === root ? Self.root : object.uuid.wireForm, values)
        }.sorted()
    }

    /// The objects to which synced properties lead that are not weak.
    static func syncedObjects(below root: Folder) -> [any ModelObject] {
        var found: [any ModelObject] = [root]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
        var next = 0
        while next < found.count {
            let object = found[next]
            next += 1
            for child in keys(of: object).flatMap({ children(of: object, $0) })
            where seen.insert(ObjectIdentifier(child)).inserted {
                found.append(child)
            }
        }
        return found
    }

    /// The tree of a server's state, without what only weak references lead to.
    static func lines(of state: JSONValue) -> [String] {
        let root = state["rootUUID"]?.stringValue ?? ""
        var fragments: [String: JSONValue] = [:]
        for fragment in state["fragments"]?.arrayValue ?? [] {
            fragments[fragment["uuid"]?.stringValue ?? ""] = fragment
        }
        var members: Set<String> = [root]
        var waiting = [root]
        while let id = waiting.popLast() {
            let properties = fragments[id]?["properties"]
            for key in referenceKeys {
                let value = properties?[key] ?? .null
                for id in value.arrayValue ?? [value] {
                    if let id = id.stringValue, members.insert(id).inserted { waiting.append(id) }
                }
            }
        }
        return members.map { id in
            var values: [String: String] = [:]
            let className = fragments[id]?["clsName"]?.stringValue ?? ""
            for key in keys(of: className) + (className == "Folder" ? [weakKey] : []) {
                // For a scalar that was never written, the server has null and the model has its default.
                var value = fragments[id]?["properties"]?[key] ?? .null
                if key == weakKey, !members.contains(value.stringValue ?? "") { value = .null }
                values[key] = text(of: value.isNull ? defaultValue(of: key) : value)
            }
            return line(id, values).replacing(root, with: Self.root)
        }.sorted()
    }

    private static func defaultValue(of key: String) -> JSONValue {
        switch key {
        case "note", "name": ""
        case "link", "selected", "target", weakKey: .null
        default: 0
        }
    }

    static func line(_ id: String, _ values: [String: String]) -> String {
        id + values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }

    static func keys(of className: String) -> [String] {
        switch className {
        case "Folder": ["note", "cursor", "folders", "link", "canvases", "target"]
        case "Canvas": ["name", "shapes", "selected"]
        default: ["x", "y", "color"]
        }
    }

    static func keys(of object: any ModelObject) -> [String] { keys(of: object.className) }

    /// The synced properties that are not weak, and the local ones.
    static func allKeys(of object: any ModelObject) -> [String] {
        keys(of: object) + (object is Folder ? ["pinned", "opened"] : [])
    }

    /// The weak property.
    private static let weakKey = "favorite"

    /// The synced properties that make objects a part of the tree.
    private static let referenceKeys = ["folders", "link", "canvases", "shapes", "selected", "target"]

    private static let arrays: Set<String> = ["folders", "canvases", "shapes"]

    static func value(of object: any ModelObject, _ key: String, root: Folder) -> String {
        let json: JSONValue =
            switch (object, key) {
            case (let folder as Folder, "note"): .string(folder.note)
            case (let folder as Folder, "cursor"): number(folder.cursor)
            case (let canvas as Canvas, "name"): .string(canvas.name)
            case (let shape as Shape, "x"): number(shape.x)
            case (let shape as Shape, "y"): number(shape.y)
            case (let shape as Shape, "color"): .number(JSONNumber(shape.color.rawValue))
            default: references(children(of: object, key), isArray: arrays.contains(key), root)
            }
        return text(of: json)
    }

    static func children(of object: any ModelObject, _ key: String) -> [any ModelObject] {
        switch (object, key) {
        case (let folder as Folder, "folders"): folder.folders
        case (let folder as Folder, "canvases"): folder.canvases
        case (let folder as Folder, "link"): folder.link.map { [$0] } ?? []
        case (let folder as Folder, "target"): folder.target.map { [$0] } ?? []
        case (let folder as Folder, "pinned"): folder.pinned.map { [$0] } ?? []
        case (let folder as Folder, "opened"): folder.opened.map { [$0] } ?? []
        case (let canvas as Canvas, "shapes"): canvas.shapes
        case (let canvas as Canvas, "selected"): canvas.selected.map { [$0] } ?? []
        default: []
        }
    }

    private static func references(_ objects: [any ModelObject], isArray: Bool, _ root: Folder) -> JSONValue {
        let ids = objects.map { JSONValue.string($0 === root ? Self.root : $0.uuid.wireForm) }
        return isArray ? .array(ids) : ids.first ?? .null
    }

    private static func number(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? .null }

    private static func text(of value: JSONValue) -> String {
        // 1 and 1.0 are equal.
        if case .number(let number) = value { return number.doubleValue.map { "\($0)" } ?? "" }
        return value.text()
    }
}

extension ModelID {
    /// The identifier in lower case.
    var wireForm: String { uuidString.lowercased() }
}
