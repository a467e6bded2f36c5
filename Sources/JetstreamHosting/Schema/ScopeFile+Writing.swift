public import Foundation
public import HeliumJSON

extension ScopeFile {
    /// Returns the file as indented JSON that ends with a line break.
    public func data() -> Data { value.data(formatting: .pretty) + Data("\n".utf8) }

    /// The file as a JSON value. Empty parts are left out.
    public var value: JSONValue {
        var file = JSONObject()
        if !enumerations.isEmpty {
            file["enumerations"] = .object(JSONObject(enumerations.map { ($0.name, $0.value) }))
        }
        file["classes"] = .object(JSONObject(classes.map { ($0.name, $0.value) }))
        file["scopes"] = .object(JSONObject(scopes.map { ($0.name, $0.value) }))
        if refusals != Refusals() { file["refuse"] = refusals.value }
        return .object(file)
    }
}

extension ScopeFile.Enumeration {
    fileprivate var value: JSONValue {
        let isNumber = values.first?.numberValue != nil
        return ["type": .string(isNumber ? "number" : "string"), "values": .array(values)]
    }
}

extension ScopeFile.ClassDefinition {
    fileprivate var value: JSONValue {
        var object = JSONObject()
        if let superclass { object["inherits"] = .string(superclass) }
        object["properties"] = .object(JSONObject(properties.map { ($0.name, $0.value) }))
        if !procedures.isEmpty {
            object["procedures"] = .object(
                JSONObject(procedures.map { ($0.name, JSONValue.array($0.constraints.map(\.value))) })
            )
        }
        return .object(object)
    }
}

extension ScopeFile.Property {
    fileprivate var value: JSONValue {
        let name = JSONValue.string(type.name)
        let type: JSONValue = isArray ? [name] : name
        return defaultValue.map { ["type": type, "default": $0] } ?? type
    }
}

extension ScopeFile.Constraint {
    fileprivate var value: JSONValue {
        var object: JSONObject = ["type": isAdd ? "add" : "change", "class": .string(className)]
        if !conditions.isEmpty {
            object["properties"] = .object(JSONObject(conditions.map { ($0.property, $0.condition.value) }))
        }
        if allowsAdditional { object["additional"] = true }
        return .object(object)
    }
}

extension ScopeFile.Constraint.Condition {
    fileprivate var value: JSONValue {
        switch self {
        case .newValue: "$new"
        case .insertion: "$insert"
        case .removal: "$remove"
        case .value(let value): value
        }
    }
}

extension ScopeFile.ScopeDefinition {
    fileprivate var value: JSONValue {
        var object: JSONObject = ["root": .string(root)]
        if !initial.isEmpty { object["initial"] = .object(initial) }
        return .object(object)
    }
}

extension ScopeFile.Refusals {
    fileprivate var value: JSONValue {
        var object = JSONObject()
        for (name, names) in [("connection", connection), ("session", session), ("fetch", fetch)] where !names.isEmpty {
            object[name] = .array(names.map { .string($0) })
        }
        return .object(object)
    }
}
