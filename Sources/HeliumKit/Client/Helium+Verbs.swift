public import HTTPTypes
public import HeliumCore

// Each verb has two forms: with the type of its result, which may be inferred from the context, and without one, for
// calls of which only the status matters. `Data` and `String` results are the body itself.

extension Helium {
    /// Creates a GET request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL's own. Segments `:name` are placeholders. It may contain a query.
    ///   - type: The type of the result.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.get, path, returning: type)
    }

    /// Creates a GET request whose response body is ignored.
    public func get(_ path: String, returning type: Void.Type = Void.self) -> RequestBuilder<Void> {
        request(.get, path)
    }

    /// Creates a HEAD request. Its response has fields but no body.
    public func head(_ path: String) -> RequestBuilder<Void> { request(.head, path) }

    /// Creates a DELETE request.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.delete, path, returning: type)
    }

    /// Creates a DELETE request whose response body is ignored.
    public func delete(_ path: String, returning type: Void.Type = Void.self) -> RequestBuilder<Void> {
        request(.delete, path)
    }
}

// MARK: Requests with a body

extension Helium {
    /// Creates a POST request.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL's own. Segments `:name` are placeholders.
    ///   - body: The content: `.json("…")`, `.text(…)`, `.form(…)`, `.bytes(…)`. Default: none.
    ///   - type: The type of the result.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.post, path, body: body, returning: type)
    }

    /// Creates a POST request with a value as its body: the bytes of `Data`, the text of a `String`, or the JSON of any
    /// other value.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.post, path, body: RequestContent(body), returning: type)
    }

    /// Creates a POST request whose response body is ignored.
    public func post(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.post, path, body: body)
    }

    /// Creates a POST request with a value as its body, whose response body is ignored.
    public func post(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.post, path, body: RequestContent(body))
    }

    /// Creates a PUT request.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.put, path, body: body, returning: type)
    }

    /// Creates a PUT request with a value as its body.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.put, path, body: RequestContent(body), returning: type)
    }

    /// Creates a PUT request whose response body is ignored.
    public func put(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.put, path, body: body)
    }

    /// Creates a PUT request with a value as its body, whose response body is ignored.
    public func put(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.put, path, body: RequestContent(body))
    }

    /// Creates a PATCH request.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.patch, path, body: body, returning: type)
    }

    /// Creates a PATCH request with a value as its body.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        body: some Encodable & Sendable,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        request(.patch, path, body: RequestContent(body), returning: type)
    }

    /// Creates a PATCH request whose response body is ignored.
    public func patch(
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        request(.patch, path, body: body)
    }

    /// Creates a PATCH request with a value as its body, whose response body is ignored.
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
    /// Creates a request with any method.
    public func request<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestContent? = nil,
        returning type: Value.Type = Value.self
    ) -> RequestBuilder<Value> {
        RequestBuilder(method, path, content: body, reader: .decoded, pipeline: pipeline)
    }

    /// Creates a request with any method whose response body is ignored.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestContent? = nil,
        returning type: Void.Type = Void.self
    ) -> RequestBuilder<Void> {
        RequestBuilder(method, path, content: body, reader: PlainReaders.nothing, pipeline: pipeline)
    }
}
