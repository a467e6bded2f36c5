public import HeliumCore

// The spelling of the verbs in the original library: `returnType:` for `returning:`.

extension Helium {
    /// Calls `get(_:returning:)`, with the argument label of the original library.
    @available(*, deprecated, renamed: "get(_:returning:)")
    public func get<Value: Decodable & Sendable>(_ path: String, returnType: Value.Type) -> RequestBuilder<Value> {
        get(path, returning: returnType)
    }

    /// Calls `delete(_:returning:)`, with the argument label of the original library.
    @available(*, deprecated, renamed: "delete(_:returning:)")
    public func delete<Value: Decodable & Sendable>(_ path: String, returnType: Value.Type) -> RequestBuilder<Value> {
        delete(path, returning: returnType)
    }

    /// Calls `post(_:body:returning:)`, with the argument label of the original library.
    @available(*, deprecated, renamed: "post(_:body:returning:)")
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returnType: Value.Type
    ) -> RequestBuilder<Value> {
        post(path, body: body, returning: returnType)
    }

    /// Calls `put(_:body:returning:)`, with the argument label of the original library.
    @available(*, deprecated, renamed: "put(_:body:returning:)")
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returnType: Value.Type
    ) -> RequestBuilder<Value> {
        put(path, body: body, returning: returnType)
    }
}
