internal import HTTPTypes
package import HeliumEssentials

/// Creates the result that a caller requested from a response.
package struct ResultReader<Value: Sendable>: Sendable {
    /// Whether the client's decoder decodes the body. The request then asks for its media type.
    let isDecoded: Bool

    /// The type that may add a parameter to the request; `nil` for none.
    let resultType: Any.Type?

    let read: @Sendable (Exchange, Reading) throws(HeliumError) -> Value
}

/// The settings for decoding the body of one call.
struct Reading: Sendable {
    let pipeline: Pipeline
    let decoder: any BodyDecoder
    let ownEnvelope: ResponseEnvelope?
    /// Collects the findings of tolerant types; `nil` if nothing is decoded.
    let collector: DecodingReportCollector?

    var envelope: ResponseEnvelope { ownEnvelope ?? pipeline.options.envelope }

    func failure(_ kind: FailureKind, _ message: String, _ exchange: Exchange) -> HeliumError {
        var error = HeliumError(kind, request: exchange.prepared.summary, delivery: .answered, message: message)
        error[fact: \.attempts] = exchange.attempts
        error[fact: \.idempotencyKey] = exchange.prepared.idempotencyKey
        return pipeline.describing(exchange.response, in: error)
    }

    /// Creates the error that ended the decoding of a long body. It does not read the body's errors, because the call's
    /// time has passed.
    func interruption(_ kind: FailureKind, _ message: String, _ exchange: Exchange) -> HeliumError {
        var error = HeliumError(kind, request: exchange.prepared.summary, delivery: .answered, message: message)
        error[fact: \.attempts] = exchange.attempts
        error[fact: \.head] = exchange.response.head
        error[fact: \.idempotencyKey] = exchange.prepared.idempotencyKey
        return error
    }
}

extension ResultReader where Value: Decodable {
    /// Returns `Data` and `String` as the body itself, and decodes every other type with the client's decoder.
    package static var decoded: Self {
        // Compares the types first, because a failing cast would be far more expensive for all other types.
        if Value.self == Data.self, let plain = PlainReaders.data as? Self { return plain }
        if Value.self == String.self, let plain = PlainReaders.text as? Self { return plain }
        return Self(isDecoded: true, resultType: Value.self) {
            (exchange, reading) throws(HeliumError) in
            try decode(exchange, reading)
        }
    }

    private static func decode(_ exchange: Exchange, _ reading: Reading) throws(HeliumError) -> Value {
        guard !exchange.isEmpty else {
            if let value = EmptyValue.of(Value.self, includingFalsy: false) { return value }
            throw reading.failure(.emptyResponse, "the response is empty, expected \(Value.self)", exchange)
        }
        let envelope = reading.envelope
        do {
            if let value = try reading.value(Value.self, from: exchange.body) { return value }
        } catch {
            var failure = reading.failure(.decodingFailed, "the body can't be decoded as \(Value.self)", exchange)
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
        throw reading.failure(.emptyResponse, "the response has no \"\(path)\", expected \(Value.self)", exchange)
    }
}

extension Reading {
    fileprivate func value<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value? {
        guard let collector else { return try decoder.decode(type, from: body, at: envelope.valuePath) }
        let value = try collector.collect { try decoder.decode(type, from: body, at: envelope.valuePath) }
        if !collector.report.isEmpty { collector.redact(by: Redactor(secrets: pipeline.authorizer.secrets)) }
        return value
    }
}

extension RequestBuilder where Value == Data {
    /// Returns the same request with its body read by `transform`. A long body is read in a race with the call's
    /// deadline.
    ///
    /// An error that `transform` throws becomes the underlying error of ``FailureKind/decodingFailed``.
    package func reading<New: Sendable>(
        _ transform: @escaping @Sendable (Data) throws -> New
    ) -> RequestBuilder<New> {
        let reader = ResultReader<New>(isDecoded: true, resultType: nil) { (exchange, reading) throws(HeliumError) in
            do {
                return try transform(exchange.body)
            } catch {
                var failure = reading.failure(.decodingFailed, "the body can't be decoded as \(New.self)", exchange)
                failure[fact: \.underlying] = error
                throw failure
            }
        }
        var request = RequestBuilder<New>(draft.method, draft.path, reader: reader, pipeline: pipeline)
        request.draft = draft
        return request
    }
}

extension ResultReader {
    /// Returns the same reader, which passes its findings to `handler`.
    func reporting(to handler: @escaping @Sendable (DecodingReport) -> Void) -> Self {
        Self(isDecoded: isDecoded, resultType: resultType) { (exchange, reading) throws(HeliumError) in
            let value = try read(exchange, reading)
            if let report = reading.collector?.report, !report.isEmpty { handler(report) }
            return value
        }
    }
}

/// The readers of results that are not decoded.
package enum PlainReaders {
    /// Returns the bytes of the body.
    package static var data: ResultReader<Data> {
        ResultReader(isDecoded: false, resultType: nil) { exchange, _ in exchange.body }
    }

    /// Returns no value.
    package static var nothing: ResultReader<Void> { ResultReader(isDecoded: false, resultType: nil) { _, _ in } }

    /// Returns the body as text: in UTF-8, or in the `charset` of the content type.
    package static var text: ResultReader<String> {
        ResultReader(isDecoded: false, resultType: nil) { (exchange, reading) throws(HeliumError) in
            let charset = exchange.response.head[.contentType].flatMap(MediaType.init)?.charset
            guard let text = String(body: exchange.body, charset: charset) else {
                throw reading.failure(.decodingFailed, "the body is not text in \(charset ?? "utf-8")", exchange)
            }
            return text
        }
    }
}
