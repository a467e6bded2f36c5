package import HeliumEssentials

/// The positions of the value and of the errors in a response document.
public struct ResponseEnvelope: Sendable {
    /// The path to the value; empty for the document itself.
    public var valuePath: [String]

    /// The path to an array of error objects in an error document; `nil` if failures have no typed errors.
    public var errorsPath: [String]?

    /// Whether a missing value also stands for `false` and 0, because the server leaves those out.
    public var omitsFalsyValues: Bool

    /// Creates an envelope.
    ///
    /// - Parameters:
    ///   - valuePath: The member names that lead to the value.
    ///   - errorsPath: The member names that lead to the array of errors. Default: `nil`, no typed errors.
    ///   - omitsFalsyValues: Whether the server leaves out `false`, 0 and "". Default: `false`.
    public init(valuePath: [String], errorsPath: [String]? = nil, omitsFalsyValues: Bool = false) {
        self.valuePath = valuePath
        self.errorsPath = errorsPath
        self.omitsFalsyValues = omitsFalsyValues
    }

    /// The document itself is the value. Errors are read from `errors` if that member exists.
    public static let raw = Self(valuePath: [], errorsPath: ["errors"])

    /// Returns an envelope whose value is one member of the document.
    public static func member(_ name: String) -> Self { Self(valuePath: [name], errorsPath: ["errors"]) }
}

extension ResponseEnvelope {
    /// Returns the typed errors in a failure's body: the first ``ErrorBody/maximumErrors``. Returns none if the body is
    /// not such a document, or is larger than ``ErrorBody/interpretedBytes``.
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

    /// An element that is not an object counts as an error without members, so that the number of errors is kept.
    private struct Lenient<Form: ServerErrorForm>: Decodable {
        let error: ServerError

        init(from decoder: any Decoder) throws {
            error = (try? Form(from: decoder))?.serverError ?? ServerError()
        }
    }
}
