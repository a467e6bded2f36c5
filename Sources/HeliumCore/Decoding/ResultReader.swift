package import Foundation
internal import HTTPTypes

/// Makes the result that a caller asked for from an answer.
package struct ResultReader<Value: Sendable>: Sendable {
    /// Whether the client's decoder reads the body: asks for its media type.
    let isDecoded: Bool

    /// The fields that the type wants from the server.
    let selection: String?

    let read: @Sendable (Exchange, Reading) throws(HeliumError) -> Value
}

/// How bodies are read in one call.
struct Reading: Sendable {
    let pipeline: Pipeline
    let ownEnvelope: ResponseEnvelope?

    var envelope: ResponseEnvelope { ownEnvelope ?? pipeline.options.envelope }

    func failure(_ kind: FailureKind, _ message: String, _ exchange: Exchange) -> HeliumError {
        var error = HeliumError(kind, request: exchange.prepared.summary, delivery: .answered, message: message)
        error[fact: \.attempts] = exchange.attempts
        return pipeline.describing(exchange.response, in: error)
    }
}

extension ResultReader where Value: Decodable {
    /// Reads `Data` and `String` as the body itself, every other type through the client's decoder.
    package static var decoded: Self {
        if let plain = PlainReaders.data as? Self { return plain }
        if let plain = PlainReaders.text as? Self { return plain }
        return Self(isDecoded: true, selection: (Value.self as? any FieldsSelector.Type)?.selectionString) {
            (exchange, reading) throws(HeliumError) in
            try decode(exchange, reading)
        }
    }

    private static func decode(_ exchange: Exchange, _ reading: Reading) throws(HeliumError) -> Value {
        guard !exchange.isEmpty else {
            if let value = EmptyValue.of(Value.self, includingFalsy: false) { return value }
            throw reading.failure(.emptyResponse, "the answer is empty, \(Value.self) was expected", exchange)
        }
        let envelope = reading.envelope
        do {
            let value = try reading.pipeline.options.decoder.decode(
                Value.self,
                from: exchange.body,
                at: envelope.valuePath
            )
            if let value { return value }
        } catch {
            var failure = reading.failure(.decodingFailed, "the body is no \(Value.self)", exchange)
            failure[fact: \.decoding] = DecodingFailure(
                type: Value.self,
                error: error,
                redactor: Redactor(secrets: reading.pipeline.authorizer.secrets)
            )
            failure[fact: \.underlying] = error
            throw failure
        }
        if let value = EmptyValue.of(Value.self, includingFalsy: envelope.omitsFalsyValues) { return value }
        let path = envelope.valuePath.joined(separator: ".")
        throw reading.failure(.emptyResponse, "the answer has no \"\(path)\", \(Value.self) was expected", exchange)
    }
}

/// The readers of results that are no decoded values.
package enum PlainReaders {
    /// The body's bytes, whatever they are.
    package static var data: ResultReader<Data> {
        ResultReader(isDecoded: false, selection: nil) { exchange, _ in exchange.body }
    }

    /// Nothing: the status has said all.
    package static var nothing: ResultReader<Void> { ResultReader(isDecoded: false, selection: nil) { _, _ in } }

    /// The body as text: UTF-8, or Latin-1 where the content type says so.
    package static var text: ResultReader<String> {
        ResultReader(isDecoded: false, selection: nil) { (exchange, reading) throws(HeliumError) in
            let type = exchange.response.head[.contentType]?.lowercased() ?? ""
            let encoding: String.Encoding = type.contains("charset=iso-8859-1") ? .isoLatin1 : .utf8
            guard let text = String(data: exchange.body, encoding: encoding) else {
                throw reading.failure(.decodingFailed, "the body is no text in UTF-8", exchange)
            }
            return text
        }
    }
}
