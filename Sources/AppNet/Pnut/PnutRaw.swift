internal import HeliumJSON

/// The translation between App.net's `annotations: [{type, value}]` and pnut.io's `raw: {type: [value, …]}`.
///
/// The order between types is lost in `raw` (Docs/Protocols/AppNet.md §6.3).
enum PnutRaw {
    static func translate(_ object: inout JSONObject, _ direction: PnutDirection) throws {
        switch direction {
        case .toPnut:
            guard let annotations = object.removeValue(named: "annotations") else { return }
            if !annotations.isNull { object["raw"] = .object(try raw(annotations)) }
        case .toAppNet:
            guard let raw = object.removeValue(named: "raw") else { return }
            if !raw.isNull { object["annotations"] = .array(try annotations(raw)) }
        }
    }

    private static func raw(_ annotations: JSONValue) throws -> JSONObject {
        var raw = JSONObject()
        for annotation in annotations.arrayValue ?? [] {
            guard let type = annotation["type"]?.stringValue else {
                throw UntranslatableMember(name: "annotations", reason: "an annotation has no type")
            }
            let name = PnutTypes.pnutName(of: type)
            var values = raw[name]?.arrayValue ?? []
            if let value = annotation["value"], !value.isNull {
                for part in try parts(of: value, type) { values.append(try translateKeys(part, .toPnut)) }
            }
            // An empty list removes a type.
            raw[name] = .array(values)
        }
        return raw
    }

    private static func annotations(_ raw: JSONValue) throws -> [JSONValue] {
        guard case .object(let types) = raw else {
            throw UntranslatableMember(name: "raw", reason: "it is not an object")
        }
        var annotations: [JSONValue] = []
        for (name, values) in types {
            let type = JSONValue.string(PnutTypes.appNetName(of: name))
            guard case .array(let values) = values else {
                throw UntranslatableMember(name: "raw", reason: "the values of a type are not an array")
            }
            if values.isEmpty { annotations.append(["type": type]) }
            for value in values {
                let value = try translateKeys(value, .toAppNet)
                annotations.append(["type": type, "value": type == attachments ? try listed(value) : value])
            }
        }
        return annotations
    }

    private static let attachments = JSONValue.string(Attachments.annotationType)
    private static let list = "net.app.core.file_list"

    /// Returns the values of an annotation on pnut.io, which has no lists of files. Attachments become several values
    /// with one file each.
    private static func parts(of value: JSONValue, _ type: String) throws -> [JSONValue] {
        guard type == Attachments.annotationType, case .object(var others) = value else { return [value] }
        let asked = others.removeValue(named: "+" + list)?.arrayValue ?? []
        let present = others.removeValue(named: list)?.arrayValue ?? []
        if asked.isEmpty, present.isEmpty { return [value] }
        let references = asked.map { reference in
            var part = others
            part[file.appNet] = reference
            return JSONValue.object(part)
        }
        return try references + present.map { try File.translate($0, .toPnut) }
    }

    /// Returns App.net's form of an attachment: a list of one file. The members of a replaced reference stay in the
    /// value itself.
    private static func listed(_ value: JSONValue) throws -> JSONValue {
        value["file_id"] == nil ? value : [list: [try File.translate(value, .toAppNet)]]
    }

    private static let file = (appNet: "+net.app.core.file", pnut: "+io.pnut.core.file")

    /// Translates the keys of replacement values. pnut.io only replaces files.
    private static func translateKeys(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        switch value {
        case .array(let elements): return .array(try elements.map { try translateKeys($0, direction) })
        case .object(let object):
            return .object(
                JSONObject(
                    try object.map { name, value in
                        let (from, to) = direction == .toPnut ? (file.appNet, file.pnut) : (file.pnut, file.appNet)
                        if direction == .toPnut, name.hasPrefix("+net.app.core."), name != from {
                            throw UntranslatableMember(
                                name: name,
                                reason: "pnut.io supports only replacements of files"
                            )
                        }
                        return (name == from ? to : name, try translateKeys(value, direction))
                    }
                )
            )
        default: return value
        }
    }
}

/// The names of types in both dialects. pnut.io has those that it shares in its own namespace
/// (Docs/Protocols/AppNet.md §6.1, §6.3).
package enum PnutTypes {
    /// Returns pnut.io's name, such as `io.pnut.core.pm` for `net.app.core.pm`. Other names are returned unchanged.
    package static func pnutName(of type: String) -> String {
        shared(type, prefix: appNetPrefix).map { pnutPrefix + $0 } ?? type
    }

    /// Returns App.net's name.
    package static func appNetName(of type: String) -> String {
        shared(type, prefix: pnutPrefix).map { appNetPrefix + $0 } ?? type
    }

    /// Changes the type in the metadata of a stream's event.
    static func translateToAppNet(_ meta: inout ResponseMeta) {
        if let type = meta.channelType {
            meta.channelType = AppNetChannel.Kind(rawValue: appNetName(of: type.rawValue))
        }
    }

    private static let appNetPrefix = "net.app.core."
    private static let pnutPrefix = "io.pnut.core."

    private static func shared(_ type: String, prefix: String) -> String? {
        guard type.hasBytePrefix(prefix) else { return nil }
        let name = String(decoding: type.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        return names.contains(name) ? name : nil
    }

    /// The service's annotation types, and two channel types.
    private static let names: Set<ByteText> = {
        let types = Array(CoreSchema.all.keys) + [AppNetChannel.Kind.privateMessages, .broadcast].map(\.rawValue)
        return Set(types.map { ByteText($0.dropFirst(appNetPrefix.count)) })
    }()
}

extension AppNetDialect {
    /// Returns the service's own names of types, which are given by App.net's names.
    func typeNames(_ types: [String]) -> [String] { self == .pnut ? types.map(PnutTypes.pnutName) : types }
}
