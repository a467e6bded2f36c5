/// A text that must not be shown. Its descriptions and reflection are masked.
public struct Secret: Sendable, Hashable {
    /// The text itself. Use it in authorizers, never in logs.
    public let value: String

    /// Creates a secret.
    public init(_ value: String) { self.value = value }
}

extension Secret: ExpressibleByStringLiteral {
    /// Creates a secret from a literal, for tests and examples.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The mask, `[redacted]`.
    public var description: String { Redactor.mask }
    /// The mask, `[redacted]`.
    public var debugDescription: String { Redactor.mask }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
