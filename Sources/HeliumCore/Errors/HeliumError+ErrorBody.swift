internal import HeliumEssentials

extension HeliumError {
    /// The kind of the response body; `nil` if there was no response. Known secrets are masked.
    public var errorBody: ErrorBody? { self[fact: \.errorBody] }

    /// Decodes the response body as a custom type, which may depend on ``status``.
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
    ///   - type: The type to decode.
    ///   - path: The member names that lead to the value. Default: the document itself.
    ///   - decoder: The decoder. Default: JSON.
    /// - Throws: `DecodingError`; `valueNotFound` if there is no body, or no value at `path`. The error may quote the
    ///   body, so check it before you log it.
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
