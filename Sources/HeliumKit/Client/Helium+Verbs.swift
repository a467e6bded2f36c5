public import HTTPTypes
public import HeliumCore

// Each verb comes in two forms: with the type of its result, which may stand in the call or follow from the context,
// and without one, for calls whose status says all. `Data` and `String` results are the body itself.

extension Helium {
    /// A GET request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL's own; segments `:name` are placeholders. It may carry a query.
    ///   - type: What to make of the answer.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.get, path, returning: type)
    }

    /// A GET request whose answer's body doesn't matter.
    public func get(_ path: String, returning type: Void.Type = Void.self) -> RequestBuilder<Void> {
        request(.get, path)
    }

    /// A HEAD request: the answer has fields and no body.
    public func head(_ path: String) -> RequestBuilder<Void> { request(.head, path) }

    /// A DELETE request.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.delete, path, returning: type)
    }

    /// A DELETE request whose answer's body doesn't matter.
    public func delete(_ path: String, returning type: Void.Type = Void.self) -> RequestBuilder<Void> {
        request(.delete, path)
    }
}

// MARK: Requests with a body

extension Helium {
    /// A POST request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL's own; segments `:name` are placeholders.
    ///   - body: The content: `.json("…")`, `.text(…)`, `.form(…)`, `.bytes(…)`. Default: none.
    ///   - type: What to make of the answer.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.post, path, body: body, returning: type)
    }

    /// A POST request with a value as its body: of `Data` the bytes, of a `String` the text, of any other its JSON.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.post, path, body: RequestContent(body), returning: type)
    }

    /// A POST request whose answer's body doesn't matter.
    public func post(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.post, path, body: body)
    }

    /// A POST request with a value as its body, whose answer's body doesn't matter.
    public func post(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.post, path, body: RequestContent(body))
    }

    /// A PUT request.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.put, path, body: body, returning: type)
    }

    /// A PUT request with a value as its body.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.put, path, body: RequestContent(body), returning: type)
    }

    /// A PUT request whose answer's body doesn't matter.
    public func put(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.put, path, body: body)
    }

    /// A PUT request with a value as its body, whose answer's body doesn't matter.
    public func put(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.put, path, body: RequestContent(body))
    }

    /// A PATCH request.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.patch, path, body: body, returning: type)
    }

    /// A PATCH request with a value as its body.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.patch, path, body: RequestContent(body), returning: type)
    }

    /// A PATCH request whose answer's body doesn't matter.
    public func patch(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.patch, path, body: body)
    }

    /// A PATCH request with a value as its body, whose answer's body doesn't matter.
    public func patch(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.patch, path, body: RequestContent(body))
    }
}

// MARK: Any method

extension Helium {
    /// A request with any method.
    public func request<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        RequestBuilder(method, path, content: body, reader: .decoded, pipeline: pipeline)
    }

    /// A request with any method whose answer's body doesn't matter.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        RequestBuilder(method, path, content: body, reader: PlainReaders.nothing, pipeline: pipeline)
    }
}
