/// The names that a server uses in its documents and queries, in addition to the ``ResponseEnvelope``. Without them a
/// client decodes no typed errors, and the result types add nothing to requests.
package struct ServerVocabulary: Sendable {
    /// The type of an error in an error document; `nil` if errors are not decoded.
    package var errorForm: (any ServerErrorForm.Type)?

    /// The query parameter that depends on the type of the result; `nil` if there is none.
    package var resultParameter: ResultParameter?

    package init() {}
}

/// An error in an error document, in the form of one server.
package protocol ServerErrorForm: Decodable, Sendable {
    /// The error.
    var serverError: ServerError { get }
}

/// A query parameter whose value depends on the type of a request's result.
package struct ResultParameter: Sendable {
    /// The parameter's name.
    package let name: String
    /// The value for a type; `nil` if a request for the type does not carry the parameter.
    package let value: @Sendable (Any.Type) -> String?

    package init(name: String, value: @escaping @Sendable (Any.Type) -> String?) {
        self.name = name
        self.value = value
    }
}
