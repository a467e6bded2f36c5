/// The names that a server uses in its documents and queries, besides the ``ResponseEnvelope``. Without them a client reads no
/// typed errors, and its results add nothing to their requests.
package struct ServerVocabulary: Sendable {
    /// The form of an error in a failure's document; `nil` if errors are not read.
    package var errorForm: (any ServerErrorForm.Type)?

    /// The query parameter that the type of a result asks for; `nil` if there is none.
    package var resultParameter: ResultParameter?

    package init() {}
}

/// An error in a failure's document, in the form of one server.
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
