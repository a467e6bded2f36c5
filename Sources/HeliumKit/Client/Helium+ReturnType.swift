public import HeliumCore

// The original's spelling of the verbs: `returnType:` for `returning:`.

extension Helium {
    /// `get(_:returning:)` as the original spelt it.
    public func get<Value: Decodable & Sendable>(_ path: String, returnType: Value.Type) -> RequestBuilder<Value> {
        get(path, returning: returnType)
    }

    /// `delete(_:returning:)` as the original spelt it.
    public func delete<Value: Decodable & Sendable>(_ path: String, returnType: Value.Type) -> RequestBuilder<Value> {
        delete(path, returning: returnType)
    }

    /// `post(_:body:returning:)` as the original spelt it.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returnType: Value.Type
    ) -> RequestBuilder<Value> {
        post(path, body: body, returning: returnType)
    }

    /// `put(_:body:returning:)` as the original spelt it.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returnType: Value.Type
    ) -> RequestBuilder<Value> {
        put(path, body: body, returning: returnType)
    }
}
