internal import HeliumEssentials

extension HeliumError {
    /// What the answer's body is; `nil` if there was no answer. Known secrets are masked.
    public var errorBody: ErrorBody? { self[fact: \.errorBody] }

    /// Decodes the answer's body as a type of yours: which one may depend on ``status``.
    ///
    /// ```swift
    /// do {
    ///     try await helium.put("/shows/1", body: draft).value()
    /// } catch let error as HeliumError where error.status == 409 {
    ///     let conflict = try error.decodedBody(as: Conflict.self)
    ///     print(conflict.current)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - path: The members to go down to the value. Default: the document itself.
    ///   - decoder: Reads it. Default: JSON.
    /// - Throws: `DecodingError`; `valueNotFound` if there is no body, or nothing at `path`. It may quote the body: don't
    ///   log it unseen.
    public func decodedBody<Value: Decodable>(
        as type: Value.Type,
        at path: [String] = [],
        using decoder: some BodyDecoder = HeliumJSONDecoder()
    ) throws -> Value {
        let context = DecodingError.Context(codingPath: path.map(MemberName.init), debugDescription: "nothing is there")
        guard let body, !body.isEmpty, let value = try decoder.decode(type, from: body, at: path) else {
            throw DecodingError.valueNotFound(type, context)
        }
        return value
    }
}
