package import HTTPTypes

extension HTTPField.Name {
    /// Creates a name from a constant in the source code, which must be valid.
    package init(constant: StaticString) {
        guard let name = Self(constant.description) else { preconditionFailure("\(constant) is not a field name") }
        self = name
    }
}
