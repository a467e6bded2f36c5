public import HTTPTypes

// Former forms of public API. Each forwards to its replacement.

extension MockTransport.Condition {
    /// The former name of ``field(_:_:)``.
    @available(*, deprecated, renamed: "field(_:_:)")
    public static func header(_ name: HTTPField.Name, _ value: String? = nil) -> Self { field(name, value) }

    /// The former form of ``json(encoding:)``. An unlabelled `String` is JSON text.
    @available(*, deprecated, renamed: "json(encoding:)")
    @_disfavoredOverload
    public static func json(_ value: some Encodable & Sendable) -> Self { json(encoding: value) }

    /// The former form of ``jsonMembers(encoding:)``. An unlabelled `String` is JSON text.
    @available(*, deprecated, renamed: "jsonMembers(encoding:)")
    @_disfavoredOverload
    public static func jsonMembers(_ value: some Encodable & Sendable) -> Self { jsonMembers(encoding: value) }
}

extension MockTransport.Gate {
    /// The former name of ``openPermanently()``.
    @available(*, deprecated, renamed: "openPermanently()")
    public func openForGood() { openPermanently() }
}
