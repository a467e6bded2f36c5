package import HTTPTypes

extension HTTPField.Name {
    /// A name that is known to be valid because it stands in our source.
    package init(constant: StaticString) {
        guard let name = Self(constant.description) else { preconditionFailure("\(constant) is no field name") }
        self = name
    }
}
