public import Foundation
public import HTTPTypes
public import HeliumCore

extension TransportResponse {
    /// Creates a response whose body is a JSON text.
    public static func json(_ text: String, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        json(bytes: Data(text.utf8), status: status, fields: fields)
    }

    /// Creates a response whose body is these bytes of JSON.
    public static func json(bytes data: Data, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        var all: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        for field in fields { all[fields: field.name] = [field] }
        return Self(head: ResponseHead(status: status, fields: all), body: .collected(data))
    }

    /// Creates a response whose body is a value encoded as JSON. Throws a failure if the value cannot be encoded.
    public static func json(
        encoding value: some Encodable,
        status: Int = 200,
        fields: HTTPFields = [:]
    ) throws(TransportFailure) -> Self {
        let data: Data
        do {
            data = try HeliumJSONEncoder.bodies.encode(value)
        } catch {
            let message = "the mock's response can't be encoded: \(type(of: value))"
            throw TransportFailure(.encodingFailed, delivery: .notSent, message: message)
        }
        return json(bytes: data, status: status, fields: fields)
    }

    /// Creates a response without a body.
    public static func empty(status: Int = 204, fields: HTTPFields = [:]) -> Self {
        Self(head: ResponseHead(status: status, fields: fields), body: .collected(Data()))
    }

    /// Creates a response whose body is these bytes.
    public static func data(_ data: Data, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        Self(head: ResponseHead(status: status, fields: fields), body: .collected(data))
    }

    /// Creates a response whose body arrives in chunks. A mock that returns the response several times delivers the whole
    /// body each time.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, as text in UTF-8. Empty ones are left out.
    ///   - status: The status.
    ///   - fields: The header fields.
    ///   - gate: The gate that each chunk and the end of the body wait for. Default: they do not wait.
    ///   - failure: The failure that ends the body. Default: the body ends normally.
    public static func streaming(
        _ chunks: [String],
        status: Int = 200,
        fields: HTTPFields = [:],
        gate: MockTransport.Gate? = nil,
        failure: TransportFailure? = nil
    ) -> Self {
        streaming(chunks.map { Data($0.utf8) }, status: status, fields: fields, gate: gate, failure: failure)
    }

    /// Creates a response whose body arrives in chunks of bytes.
    @_disfavoredOverload
    public static func streaming(
        _ chunks: [Data],
        status: Int = 200,
        fields: HTTPFields = [:],
        gate: MockTransport.Gate? = nil,
        failure: TransportFailure? = nil
    ) -> Self {
        let source = ScriptedBody(chunks: chunks, gate: gate, failure: failure)
        return Self(head: ResponseHead(status: status, fields: fields), body: .stream(BodyStream(source: source)))
    }
}

extension TransportResponse {
    /// Returns the response with a scripted body from its beginning, so that each request that is answered with the same
    /// response receives the whole body.
    func repeated() -> Self {
        guard case .stream(let stream) = body, let scripted = stream.source as? ScriptedBody else { return self }
        var response = self
        response.body = .stream(BodyStream(source: scripted.repeated()))
        return response
    }

    /// Returns the response with its body in the form that was asked for, whatever form it has.
    ///
    /// - Throws: The failure of a body that can't be collected, with the head and the beginning of the body, as
    ///   `CurlTransport` does.
    package func delivered(as mode: ResponseBodyMode) async throws(TransportFailure) -> TransportResponse {
        var response = self
        switch (mode, body) {
        case (.stream, .collected(let data)):
            response.body = .stream(BodyStream(data))
        case (.collect(let limit), .stream(let stream)):
            var body = Data()
            do {
                for try await chunk in stream {
                    guard chunk.count <= limit - body.count else {
                        stream.cancel()
                        throw Self.tooLong(limit)
                    }
                    body.append(chunk)
                }
                response.body = .collected(body)
            } catch let error as TransportFailure {
                response.body = .collected(body)
                throw error.ending(response)
            } catch {
                throw TransportFailure(.cancelled, delivery: .answered, message: "the call was cancelled")
            }
        case (.collect(let limit), .collected(let data)) where data.count > limit:
            response.body = .collected(data.prefix(limit))
            throw Self.tooLong(limit).ending(response)
        default: break
        }
        return response
    }

    private static func tooLong(_ limit: Int) -> TransportFailure {
        TransportFailure(
            .ceilingExceeded,
            delivery: .answered,
            message: "the body has more than \(limit) bytes",
            ceiling: .bodyBytes
        )
    }
}
