public import Foundation
public import HTTPTypes
public import HeliumCore

extension TransportResponse {
    /// An answer with a JSON text.
    public static func json(_ text: String, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        json(bytes: Data(text.utf8), status: status, fields: fields)
    }

    /// A response whose body is these bytes of JSON.
    public static func json(bytes data: Data, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        var all: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        for field in fields { all[fields: field.name] = [field] }
        return Self(head: ResponseHead(status: status, fields: all), body: .collected(data))
    }

    /// An answer with a value in JSON; a value that can't be encoded fails the transfer.
    public static func json(
        encoding value: some Encodable,
        status: Int = 200,
        fields: HTTPFields = [:]
    ) throws(TransportFailure) -> Self {
        let data: Data
        do {
            data = try HeliumJSONEncoder.bodies.encode(value)
        } catch {
            let message = "the mock's answer can't be encoded: \(type(of: value))"
            throw TransportFailure(.encodingFailed, delivery: .notSent, message: message)
        }
        return json(bytes: data, status: status, fields: fields)
    }

    /// An answer without a body.
    public static func empty(status: Int = 204, fields: HTTPFields = [:]) -> Self {
        Self(head: ResponseHead(status: status, fields: fields), body: .collected(Data()))
    }

    /// An answer with bytes.
    public static func data(_ data: Data, status: Int = 200, fields: HTTPFields = [:]) -> Self {
        Self(head: ResponseHead(status: status, fields: fields), body: .collected(data))
    }

    /// An answer whose body comes chunk by chunk.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, as text in UTF-8. Empty ones are left out.
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - gate: What each chunk waits for, and the end of the body too. Default: nothing.
    ///   - failure: How the body ends in place of its end. Default: it does not fail.
    public static func streaming(
        _ chunks: [String],
        status: Int = 200,
        fields: HTTPFields = [:],
        gate: MockTransport.Gate? = nil,
        failure: TransportFailure? = nil
    ) -> Self {
        streaming(chunks.map { Data($0.utf8) }, status: status, fields: fields, gate: gate, failure: failure)
    }

    /// An answer whose body comes chunk by chunk, of bytes.
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
    /// The answer with its body as it was asked for, whatever form it has.
    package func delivered(as mode: ResponseBodyMode) async throws(TransportFailure) -> TransportResponse {
        var response = self
        switch (mode, body) {
        case (.stream, .collected(let data)):
            response.body = .stream(BodyStream(data))
        case (.collect(let limit), .stream(let stream)):
            do {
                response.body = .collected(try await stream.collect(upTo: limit))
            } catch let error as TransportFailure {
                throw error
            } catch {
                throw TransportFailure(.cancelled, delivery: .answered, message: "the call was cancelled")
            }
        case (.collect(let limit), .collected(let data)) where data.count > limit:
            throw TransportFailure(
                .ceilingExceeded,
                delivery: .answered,
                message: "the body has more than \(limit) bytes",
                ceiling: .bodyBytes
            )
        default: break
        }
        return response
    }
}
