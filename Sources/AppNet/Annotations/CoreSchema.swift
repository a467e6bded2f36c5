internal import HeliumJSON

/// The rules for the value of a core type (Docs/Protocols/AppNet.md §4.3).
struct CoreSchema: Sendable {
    var members: [Member] = []
    /// Whether the type is read only.
    var isReadOnly = false
    /// `true` if the type is only for broadcasts, `false` if it is not for broadcasts, `nil` if it is for both.
    var isOnBroadcasts: Bool?
    /// An additional check.
    var check: (@Sendable (JSONObject, String) throws(RuleViolation) -> Void)?

    struct Member: Sendable {
        let name: String
        let shape: Shape
        var isRequired = true
    }

    enum Shape: Sendable {
        /// A string with a maximum length in code points.
        case text(maximum: Int)
        case number(ClosedRange<Double>)
        /// An array of strings, with a maximum count and a maximum length in code points.
        case texts(maximum: Int, length: Int)
        case reference
    }

    func validate(_ object: JSONObject, at path: String) throws(RuleViolation) {
        for member in members {
            let path = "\(path).\(member.name)"
            guard let value = object[member.name], !value.isNull else {
                if member.isRequired { throw RuleViolation(member: path, problem: .missing) }
                continue
            }
            try member.shape.validate(value, at: path)
        }
        try check?(object, path)
    }
}

extension CoreSchema.Shape {
    fileprivate func validate(_ value: JSONValue, at path: String) throws(RuleViolation) {
        switch self {
        case .text(let maximum):
            guard let text = value.stringValue, !text.isEmpty else {
                throw RuleViolation(member: path, problem: .invalid("it is not a non-empty string"))
            }
            try Self.validate(text, maximum, path)
        case .number(let range):
            guard let number = value.doubleValue, range.contains(number) else {
                let reason = "it is not a number from \(range.lowerBound) to \(range.upperBound)"
                throw RuleViolation(member: path, problem: .invalid(reason))
            }
        case .texts(let maximum, let length):
            guard let texts = value.arrayValue else {
                throw RuleViolation(member: path, problem: .invalid("it is not an array"))
            }
            if texts.count > maximum {
                throw RuleViolation(member: path, problem: .tooLong(texts.count, maximum: maximum, unit: "tags"))
            }
            for (index, text) in texts.enumerated() {
                guard let text = text.stringValue else {
                    throw RuleViolation(member: "\(path)[\(index)]", problem: .invalid("it is not a string"))
                }
                try Self.validate(text, length, "\(path)[\(index)]")
            }
        case .reference: break
        }
    }

    private static func validate(_ text: String, _ maximum: Int, _ path: String) throws(RuleViolation) {
        let count = text.unicodeScalars.count
        if count > maximum {
            throw RuleViolation(member: path, problem: .tooLong(count, maximum: maximum, unit: "code points"))
        }
    }
}
