public import HTTPTypes

/// A request in the making: a value; every step returns a changed copy, and nothing is sent before the verb.
///
/// A builder can be stored, shared between tasks, specialised further and sent as often as wanted. The verbs are
/// ``value()``, ``response()``, ``completion(_:)`` and ``stream()``. Everything is checked before any I/O.
public struct RequestBuilder<Value: Sendable>: Sendable {
    let pipeline: Pipeline
    var reader: ResultReader<Value>
    var draft: RequestDraft

    package init(
        _ method: HTTPRequest.Method,
        _ path: String,
        content: RequestContent? = nil,
        reader: ResultReader<Value>,
        pipeline: Pipeline
    ) {
        self.pipeline = pipeline
        self.reader = reader
        draft = RequestDraft(method: method, path: path, content: content)
    }

    func with(_ change: (inout RequestDraft) -> Void) -> Self {
        var copy = self
        change(&copy.draft)
        return copy
    }
}

// MARK: Steps

extension RequestBuilder {
    /// Fills the path's placeholders; given twice, the later value of a name counts.
    ///
    /// A missing or an unused replacement fails the call before any I/O.
    public func pathReplacements(_ replacements: PathReplacements, mode: PathReplacements.Mode = .placeholders) -> Self
    {
        with {
            $0.replacements.merge(replacements)
            $0.replacements.mode = mode
        }
    }

    /// Fills the path's placeholders from a dictionary.
    @_disfavoredOverload
    public func pathReplacements(
        _ replacements: [String: any ParameterConvertible],
        mode: PathReplacements.Mode = .placeholders
    ) -> Self {
        pathReplacements(PathReplacements(replacements), mode: mode)
    }

    /// Adds query parameters; a parameter that is set already is replaced. They are sent sorted by name.
    ///
    /// - Parameters:
    ///   - parameters: Names and values; `nil` leaves one out.
    ///   - lists: How lists are written. Default: as the client's options say.
    public func parameters(_ parameters: QueryParameters, lists: QueryParameters.ListStyle? = nil) -> Self {
        with {
            $0.parameters.merge(parameters)
            if let lists { $0.listStyle = lists }
        }
    }

    /// Adds query parameters from a dictionary.
    @_disfavoredOverload
    public func parameters(_ parameters: [String: any ParameterConvertible]) -> Self {
        self.parameters(QueryParameters(parameters))
    }

    /// Sets fields; `nil` removes one that the client would send by default.
    ///
    /// A name or value that can't stand in a header section, and a field that the transport writes itself (`Host`,
    /// `Content-Length`, `Transfer-Encoding`, `Connection`, `Accept-Encoding`), fail the call before any I/O.
    public func fields(_ fields: [String: String?]) -> Self {
        with { draft in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) { draft.fields.append((.text(name), value)) }
        }
    }

    /// Sets one field; `nil` removes one that the client would send by default.
    public func field(_ name: HTTPField.Name, _ value: String?) -> Self {
        with { $0.fields.append((.name(name), value)) }
    }

    /// Sets the body: of `Data` the bytes, of a `String` the text, of any other value its encoding, JSON by default.
    public func body(_ value: some Encodable & Sendable) -> Self { with { $0.content = RequestContent(value) } }

    /// Sets the body.
    public func body(_ content: RequestContent) -> Self { with { $0.content = content } }

    /// Limits the whole call: registration, all attempts, the pauses between them. `nil`: no limit.
    public func timeout(_ limit: Duration?) -> Self { with { $0.settings.total = .some(limit) } }

    /// Sets all time limits of this call.
    public func timeouts(_ timeouts: PhaseTimeouts) -> Self {
        with {
            $0.settings.timeouts = timeouts
            $0.settings.total = nil
        }
    }

    /// Sets the statuses that count as success for this call.
    public func acceptableStatusCodes(_ range: Range<Int>) -> Self {
        with { $0.settings.acceptableStatusCodes = range }
    }

    /// Sets where in the answer's document the value stands.
    public func envelope(_ envelope: ResponseEnvelope) -> Self { with { $0.settings.envelope = envelope } }

    /// Sets what makes this call's value from its body, in place of the client's ``ClientOptions/decoder``. `Accept` names
    /// its media type. Failures are read with the client's decoder all the same.
    ///
    /// ```swift
    /// var decoder = HeliumJSONDecoder()
    /// decoder.keyDecodingStrategy = .convertFromSnakeCase
    /// let legacy = try await helium.get("/legacy", returning: Legacy.self).decoder(decoder).value()
    /// ```
    public func decoder(_ decoder: some BodyDecoder) -> Self { with { $0.settings.decoder = decoder } }

    /// Sets the ceiling on the answer's body in memory, in bytes after decompression.
    public func bodyLimit(_ bytes: Int) -> Self { with { $0.settings.bodyBytes = max(0, bytes) } }

    /// Sets which HTTP versions this call may use.
    public func httpVersion(_ version: HTTPVersionPolicy) -> Self { with { $0.settings.httpVersion = version } }
}

// MARK: Verbs

extension RequestBuilder {
    /// Sends the request and returns the value.
    ///
    /// - Throws: ``HeliumError``; `CancellationError` if the task was cancelled.
    public func value() async throws -> Value { try await response().value }

    /// Sends the request and returns the answer with its value.
    ///
    /// - Throws: ``HeliumError``; `CancellationError` if the task was cancelled.
    public func response() async throws -> HeliumResponse<Value> {
        do throws(HeliumError) {
            return try await send()
        } catch {
            throw Pipeline.surfaced(error)
        }
    }

    /// Sends the request and returns as soon as the answer's head is there, its body following as a stream.
    ///
    /// The value's type has no say here: the stream is the body's bytes.
    ///
    /// - Throws: ``HeliumError``, also for a status that is not acceptable; `CancellationError`.
    public func stream() async throws -> HeliumStream {
        do throws(HeliumError) {
            let prepared = try prepared(isStream: true)
            let exchange = try await pipeline.exchange(prepared)
            return HeliumStream(exchange)
        } catch {
            throw Pipeline.surfaced(error)
        }
    }

    /// Sends the request and calls `handler` exactly once with the outcome, cancellation included.
    ///
    /// The handler runs on Swift's cooperative threads, never on the transport's: it may take its time.
    ///
    /// - Returns: The running call; ``HeliumTask/cancel()`` ends it.
    @discardableResult
    public func completion(
        _ handler: @escaping @Sendable (Result<HeliumResponse<Value>, HeliumError>) -> Void
    ) -> HeliumTask {
        HeliumTask(
            Task {
                let result: Result<HeliumResponse<Value>, HeliumError>
                do throws(HeliumError) {
                    result = .success(try await send())
                } catch {
                    result = .failure(error)
                }
                handler(result)
            }
        )
    }

    /// Checks everything and makes the request; no I/O.
    func prepared(isStream: Bool) throws(HeliumError) -> PreparedRequest {
        try draft.prepared(
            for: pipeline,
            accept: reader.isDecoded && !isStream ? bodyDecoder.mediaType : nil,
            resultType: reader.resultType,
            isStream: isStream
        )
    }

    /// The decoder of this call's response bodies.
    var bodyDecoder: any BodyDecoder { draft.settings.box?.values.decoder ?? pipeline.options.decoder }

    private func send() async throws(HeliumError) -> HeliumResponse<Value> {
        let exchange = try await pipeline.exchange(try prepared(isStream: false))
        let reading = Reading(
            pipeline: pipeline,
            decoder: bodyDecoder,
            ownEnvelope: draft.settings.box?.values.envelope,
            collector: reader.isDecoded ? DecodingReportCollector() : nil
        )
        // A short body is read before anybody could notice; a long one in a race with the deadline.
        let value =
            exchange.bodySize < Pipeline.longBodyBytes || !reader.isDecoded
            ? try reader.read(exchange, reading) : try await pipeline.read(exchange, by: reader, reading)
        return HeliumResponse(value: value, exchange: exchange, report: reading.collector?.report ?? DecodingReport())
    }
}

extension HeliumStream {
    fileprivate init(_ exchange: Exchange) {
        head = exchange.response.head
        timings = exchange.response.timings
        attempts = exchange.attempts
        url = exchange.url
        request = exchange.prepared.summary
        switch exchange.response.body {
        case .stream(let stream):
            body = stream.convertingFailures { [request, attempts] failure in
                // The head has come, whatever a transport of somebody else's says.
                var error = HeliumError(failure, request: request).raised(to: .answered)
                error[fact: \.attempts] = attempts
                return error
            }
        case .collected(let data):
            body = BodyStream(data)
        }
    }
}

extension RequestBuilder: CustomStringConvertible, CustomReflectable {
    /// Method and path template.
    public var description: String { "\(draft.method.rawValue) \(draft.path)" }
    /// Method and path template.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
