internal import HeliumJSON

/// The rules for references that the service replaces (Docs/Protocols/AppNet.md §4.2).
enum ReplacementRules {
    /// Checks every key in the service's namespace, at any depth.
    static func validate(_ value: JSONValue, in type: String, at path: String) throws(RuleViolation) {
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() { try validate(element, in: type, at: "\(path)[\(index)]") }
        case .object(let object):
            for (name, value) in object {
                let path = "\(path).\(name)"
                if name.hasPrefix("+net.app.core.") {
                    try validate(name, value, in: type, at: path)
                } else {
                    try validate(value, in: type, at: path)
                }
            }
        default: break
        }
    }

    private static func validate(
        _ key: String,
        _ value: JSONValue,
        in type: String,
        at path: String
    ) throws(RuleViolation) {
        switch key {
        case "+net.app.core.file": try file(value, in: type, at: path)
        case "+net.app.core.file_list":
            guard let files = value.arrayValue else {
                throw RuleViolation(member: path, problem: .invalid("it is not an array"))
            }
            for (index, value) in files.enumerated() { try file(value, in: type, at: "\(path)[\(index)]") }
        case "+net.app.core.place": try texts(["factual_id"], of: value, at: path)
        case "+net.app.core.user":
            try texts(["user_id", "format"], of: value, at: path)
            try format(value, oneOf: ["basic", "full"], at: path)
        default: throw RuleViolation(member: path, problem: .notAllowed("it is not a known replacement"))
        }
    }

    private static func file(_ value: JSONValue, in type: String, at path: String) throws(RuleViolation) {
        try texts(["file_id", "file_token", "format"], of: value, at: path)
        let formats =
            switch ByteText(type) {
            case ByteText(OEmbed.annotationType): ["oembed", "url", "metadata"]
            case ByteText(Attachments.annotationType), ByteText(BroadcastIcon.annotationType),
                ByteText(BroadcastCover.annotationType):
                ["metadata"]
            default: ["url", "metadata"]
            }
        try format(value, oneOf: formats, at: path)
    }

    private static func texts(_ names: [String], of value: JSONValue, at path: String) throws(RuleViolation) {
        for name in names where value[name]?.stringValue?.isEmpty != false {
            throw RuleViolation(member: "\(path).\(name)", problem: .missing)
        }
    }

    private static func format(_ value: JSONValue, oneOf formats: [String], at path: String) throws(RuleViolation) {
        guard let format = value["format"]?.stringValue, formats.contains(where: format.hasSameBytes) else {
            let reason = "it is not one of \(formats.joined(separator: ", "))"
            throw RuleViolation(member: "\(path).format", problem: .invalid(reason))
        }
    }
}
