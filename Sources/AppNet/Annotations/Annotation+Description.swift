internal import HeliumCore
internal import HeliumJSON

extension Annotation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and the value, with file tokens masked.
    public var description: String {
        guard let value else { return "\(type): removed" }
        return "\(type): \(Self.masked(value))"
    }

    /// The description.
    public var debugDescription: String { description }

    /// An empty mirror, because the value may contain file tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private static let secrets: Set<String> = ["file_token", "file_token_read"]

    private static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(masked))
        case .object(let object):
            .object(
                JSONObject(
                    object.map { name, value in
                        (name, secrets.contains(name) ? .string(Redactor.mask) : masked(value))
                    }
                )
            )
        default: value
        }
    }
}
