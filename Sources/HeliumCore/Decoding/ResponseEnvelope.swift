package import HeliumEssentials

/// Where in an answer's document the value stands, and where the errors.
public struct ResponseEnvelope: Sendable {
    /// The path to the value; empty: the document itself.
    public var valuePath: [String]

    /// The path to an array of error objects in a failure's document; `nil`: failures have no typed errors.
    public var errorsPath: [String]?

    /// Whether an absent value stands for `false` and 0 too, because the server leaves those out.
    public var omitsFalsyValues: Bool

    /// An envelope.
    ///
    /// - Parameters:
    ///   - valuePath: The members to go down to the value.
    ///   - errorsPath: The members to go down to the array of errors. Default: failures have none.
    ///   - omitsFalsyValues: Whether the server leaves out `false`, 0 and "". Default: no.
    public init(valuePath: [String], errorsPath: [String]? = nil, omitsFalsyValues: Bool = false) {
        self.valuePath = valuePath
        self.errorsPath = errorsPath
        self.omitsFalsyValues = omitsFalsyValues
    }

    /// The document itself is the value. Errors are looked for in `errors`, which does no harm where there are none.
    public static let raw = Self(valuePath: [], errorsPath: ["errors"])

    /// The value stands in one member of the document.
    public static func member(_ name: String) -> Self { Self(valuePath: [name], errorsPath: ["errors"]) }
}

extension ResponseEnvelope {
    /// The typed errors in a failure's body: the first ``ErrorBody/maximumErrors``; none if the body is not such a
    /// document, or larger than ``ErrorBody/interpretedBytes``.
    ///
    /// - Parameter form: The form of an error in the document; `nil` for no errors.
    package func serverErrors(
        in body: Data,
        as form: (any ServerErrorForm.Type)?,
        using decoder: some BodyDecoder
    ) -> [ServerError] {
        guard let form, let errorsPath, !body.isEmpty, body.count <= ErrorBody.interpretedBytes else { return [] }
        func read<Form: ServerErrorForm>(_ form: Form.Type) -> [ServerError] {
            (try? decoder.decode(FirstErrors<Form>.self, from: body, at: errorsPath))?.errors ?? []
        }
        return read(form)
    }

    private struct FirstErrors<Form: ServerErrorForm>: Decodable {
        var errors: [ServerError] = []

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            while !elements.isAtEnd, errors.count < ErrorBody.maximumErrors {
                errors.append(try elements.decode(Lenient<Form>.self).error)
            }
        }
    }

    /// An element that is no object counts as an error without members: none is lost.
    private struct Lenient<Form: ServerErrorForm>: Decodable {
        let error: ServerError

        init(from decoder: any Decoder) throws {
            error = (try? Form(from: decoder))?.serverError ?? ServerError()
        }
    }
}
