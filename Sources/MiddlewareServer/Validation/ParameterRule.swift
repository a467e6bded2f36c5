internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// The declaration of one parameter of a route (Docs/Protocols/Middleware.md §5.3). The first rule that fails
/// determines the violation, in the order of ``check(_:)``.
struct ParameterRule: Sendable {
    enum Kind: Sendable {
        case string, number, boolean, date, object
    }

    /// The parameter's name; a dotted path in a body.
    let id: String
    let section: ParameterSection
    var kind = Kind.string
    var minimumLength: Int?
    var maximumLength: Int?
    /// The allowed texts, compared without regard to letter case.
    var allowed: [String]?
    /// Returns whether a text has the required form.
    var pattern: (@Sendable (String) -> Bool)?
    var isRequired = false
    /// Whether a value of another type counts as absent.
    var ignoresOtherTypes = false
    /// Whether `null` is rejected. Otherwise it counts as absent.
    var refusesNull = false
    /// Whether an empty text must be one of ``allowed``.
    var refusesEmpty = false
    /// Whether ``allowed`` applies only to texts. A number that was converted to text is then kept unchanged.
    var allowsNumbers = false

    /// Returns the value converted to the declared kind (`nil` if it is absent), or the violation.
    func check(_ value: JSONValue?) -> Result<JSONValue?, Violation> {
        guard let value, value != .null || refusesNull, kind != .number || value != "" else {
            return isRequired ? .failure(missing) : .success(nil)
        }
        guard let converted = convert(value) else {
            if ignoresOtherTypes { return .success(nil) }
            return .failure(failure("UnexpectedType", "is unexpected type. \(value.typeName) given \(kind) expected"))
        }
        if let violation = broken(converted, isText: value.stringValue != nil) { return .failure(violation) }
        return .success(converted)
    }

    private func convert(_ value: JSONValue) -> JSONValue? {
        switch (kind, value) {
        case (.string, .string), (.object, .object), (.boolean, .bool), (.number, .number):
            return value
        case (.string, .number(let number)): return .string("\(number)")
        case (.string, .bool(let flag)): return .string(flag ? "true" : "false")
        case (.number, .string(let text)):
            guard let number = ScriptNumber.parse(text), number.isFinite else { return nil }
            return .number(number)
        case (.boolean, .string(let text)):
            switch text.lowercased() {
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: return nil
            }
        case (.date, .string(let text)) where RequestDate.isDate(text): return value
        case (.date, .number): return value
        default: return nil
        }
    }

    private func broken(_ value: JSONValue, isText: Bool) -> Violation? {
        guard case .string(let text) = value else { return nil }
        let length = text.utf16.count
        if let minimumLength, length < minimumLength {
            return failure("MinLengthUnderachieved", "length is less than \(minimumLength) chars")
        }
        if let maximumLength, length > maximumLength {
            return failure("MaxLengthExceeded", "length is more than \(maximumLength) chars")
        }
        let isCompared = (isText || !allowsNumbers) && (!text.isEmpty || refusesEmpty)
        if let allowed, isCompared, !allowed.contains(where: { $0.lowercased() == text.lowercased() }) {
            return failure(
                "ValueNotAllowed",
                "value '\(text)' is not allowed. Use one of the following values: "
                    + allowed.joined(separator: ",")
            )
        }
        if let pattern, !pattern(text), !text.isEmpty {
            return failure("PatternMismatch", "value does not match the required pattern")
        }
        if isRequired, text.isEmpty { return missing }
        return nil
    }

    private var missing: Violation {
        failure("MissingRequiredParameter", "is required but invalid value or no value given")
    }

    private func failure(_ code: String, _ text: String) -> Violation {
        Violation(code: code, id: id, section: section, message: "\(id) \(text)")
    }
}

/// The formats of a date that `requestdate` may have (Docs/Protocols/Middleware.md §5.6).
enum RequestDate {
    static func isDate(_ text: String) -> Bool {
        if (try? Date(text, strategy: .iso8601)) != nil { return true }
        if (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))) != nil { return true }
        if (try? Date(text, strategy: Date.ISO8601FormatStyle().year().month().day())) != nil { return true }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text) != nil
    }
}
