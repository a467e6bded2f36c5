/// A text that must not be seen: its descriptions and reflection are masked.
public struct Secret: Sendable, Hashable {
    /// The text itself: for authorizers, never for logs.
    public let value: String

    /// Wraps a secret.
    public init(_ value: String) { self.value = value }
}

extension Secret: ExpressibleByStringLiteral {
    /// A secret from a literal: for tests and examples.
    public init(stringLiteral value: String) { self.init(value) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `[redacted]`.
    public var description: String { Redactor.mask }
    /// `[redacted]`.
    public var debugDescription: String { Redactor.mask }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
