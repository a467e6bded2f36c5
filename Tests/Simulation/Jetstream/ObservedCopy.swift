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
        for key in TreeText.keys(of: object) { copy(key, of: object) }
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
        for key in TreeText.keys(of: object) {
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
            if let self, let object { take(object) }
        }
        object.observeDetach(self) { [weak self, weak object] _ in
            guard let self, let object else { return }
            objects[name(of: object)] = nil
            note("\(name(of: object)) leaves")
        }
        kept.append(object)
    }

    /// Objects whose identities must not be used again.
    private var kept: [any ModelObject] = []
}

/// The text of trees, by which they are compared.
enum TreeText {
    /// The root's name: its identifier changes with the server's store, which no property reports.
    static let root = "root"

    /// The tree of a client.
    static func lines(of scope: Scope, root: Folder) -> [String] {
        scope.allObjects.map { object in
            var values: [String: String] = [:]
            for key in keys(of: object) { values[key] = value(of: object, key, root: root) }
            return line(object === root ? Self.root : object.uuid.wireForm, values)
        }.sorted()
    }

    /// The tree of a server's state.
    static func lines(of state: JSONValue) -> [String] {
        let id = state["rootUUID"]?.stringValue ?? ""
        return (state["fragments"]?.arrayValue ?? []).map { fragment in
            var values: [String: String] = [:]
            let className = fragment["clsName"]?.stringValue ?? ""
            for key in keys(of: className) {
                // For a scalar that was never written, the server has null and the model has its default.
                let value = fragment["properties"]?[key] ?? .null
                values[key] = text(of: value.isNull ? defaultValue(of: key) : value)
            }
            return line(fragment["uuid"]?.stringValue ?? "", values).replacing(id, with: Self.root)
        }.sorted()
    }

    private static func defaultValue(of key: String) -> JSONValue {
        switch key {
        case "note", "name": ""
        case "link", "selected": .null
        default: 0
        }
    }

    static func line(_ id: String, _ values: [String: String]) -> String {
        id + values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }

    static func keys(of className: String) -> [String] {
        switch className {
        case "Folder": ["note", "cursor", "folders", "link", "canvases"]
        case "Canvas": ["name", "shapes", "selected"]
        default: ["x", "y", "color"]
        }
    }

    static func keys(of object: any ModelObject) -> [String] { keys(of: object.className) }

    static func value(of object: any ModelObject, _ key: String, root: Folder) -> String {
        let json: JSONValue =
            switch (object, key) {
            case (let folder as Folder, "note"): .string(folder.note)
            case (let folder as Folder, "cursor"): number(folder.cursor)
            case (let canvas as Canvas, "name"): .string(canvas.name)
            case (let shape as Shape, "x"): number(shape.x)
            case (let shape as Shape, "y"): number(shape.y)
            case (let shape as Shape, "color"): .number(JSONNumber(shape.color.rawValue))
            default: references(children(of: object, key), isArray: key != "link" && key != "selected", root)
            }
        return text(of: json)
    }

    static func children(of object: any ModelObject, _ key: String) -> [any ModelObject] {
        switch (object, key) {
        case (let folder as Folder, "folders"): folder.folders
        case (let folder as Folder, "canvases"): folder.canvases
        case (let folder as Folder, "link"): folder.link.map { [$0] } ?? []
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
