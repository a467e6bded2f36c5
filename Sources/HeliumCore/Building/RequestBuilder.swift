public import HTTPTypes

/// A request that is being configured. A builder is a value: every step returns a changed copy, and nothing is sent
/// before a verb is called.
///
/// A builder can be stored, shared between tasks, specialized further and sent any number of times. The verbs are
/// ``value()``, ``response()``, ``completion(_:)`` and ``stream()``. The whole request is validated before any I/O.
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

    // The steps consume the builder, so that a chain of them copies none.
    consuming func with(_ change: (inout RequestDraft) -> Void) -> Self {
        change(&draft)
        return self
    }
}

// MARK: Steps

extension RequestBuilder {
    /// Sets values for the path's placeholders. If a name is set twice, the later value is used.
    ///
    /// A missing or an unused replacement makes the call fail before any I/O.
    public consuming func pathReplacements(
        _ replacements: PathReplacements,
        mode: PathReplacements.Mode = .placeholders
    ) -> Self {
        with {
            $0.replacements.merge(replacements)
            $0.replacements.mode = mode
        }
    }

    /// Sets values for the path's placeholders from a dictionary.
    @_disfavoredOverload
    public consuming func pathReplacements(
        _ replacements: [String: any ParameterConvertible],
        mode: PathReplacements.Mode = .placeholders
    ) -> Self {
        pathReplacements(PathReplacements(replacements), mode: mode)
    }

    /// Adds query parameters, replacing parameters of the same name. They are sent sorted by name.
    ///
    /// - Parameters:
    ///   - parameters: Names and values; `nil` leaves a parameter out.
    ///   - lists: The format of lists. Default: that of the client's options.
    public consuming func parameters(_ parameters: QueryParameters, lists: QueryParameters.ListStyle? = nil) -> Self {
        with {
            $0.parameters.merge(parameters)
            if let lists { $0.listStyle = lists }
        }
    }

    /// Adds query parameters from a dictionary.
    @_disfavoredOverload
    public consuming func parameters(_ parameters: [String: any ParameterConvertible]) -> Self {
        self.parameters(QueryParameters(parameters))
    }

    /// Sets header fields; `nil` removes one that the client would send by default.
    ///
    /// The call fails before any I/O if a name or value is not allowed in a header section, or if a field is one that
    /// the transport writes itself (`Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `Accept-Encoding`).
    public consuming func fields(_ fields: [String: String?]) -> Self {
        with { draft in
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                draft.fields.append(.init(name: .text(name), value: value))
            }
        }
    }

    /// Sets one header field; `nil` removes one that the client would send by default.
    public consuming func field(_ name: HTTPField.Name, _ value: String?) -> Self {
        with { $0.fields.append(.init(name: .name(name), value: value)) }
    }

    /// Sets header fields in this order. A name that occurs more than once results in one field line for each value.
    package consuming func fieldLines(_ lines: [(name: String, value: String)]) -> Self {
        with { draft in
            var names: Set<String> = []
            for (name, value) in lines {
                let isAdded = !names.insert(name.lowercased()).inserted
                draft.fields.append(.init(name: .text(name), value: value, isAdded: isAdded))
            }
        }
    }

    /// Sets the body: the bytes of `Data`, the text of a `String`, or the encoding of any other value, JSON by default.
    public consuming func body(_ value: some Encodable & Sendable) -> Self {
        with { $0.content = RequestContent(value) }
    }

    /// Sets the body.
    public consuming func body(_ content: RequestContent) -> Self { with { $0.content = content } }

    /// Sets the time limit of the whole call: registration, all attempts and the delays between them. `nil` sets no
    /// limit.
    public consuming func timeout(_ limit: Duration?) -> Self { with { $0.settings.total = .some(limit) } }

    /// Sets all time limits of this call.
    public consuming func timeouts(_ timeouts: PhaseTimeouts) -> Self {
        with {
            $0.settings.timeouts = timeouts
            $0.settings.total = nil
        }
    }

    /// Sets the statuses that count as success for this call.
    public consuming func acceptableStatusCodes(_ range: Range<Int>) -> Self {
        with { $0.settings.acceptableStatusCodes = range }
    }

    /// Sets the position of the value in the response document.
    public consuming func envelope(_ envelope: ResponseEnvelope) -> Self { with { $0.settings.envelope = envelope } }

    /// Sets the decoder of this call's response body, in place of the client's ``ClientOptions/decoder``. `Accept`
    /// names its media type. Error responses are still read with the client's decoder.
    ///
    /// ```swift
    /// var decoder = HeliumJSONDecoder()
    /// decoder.keyDecodingStrategy = .convertFromSnakeCase
    /// let legacy = try await helium.get("/legacy", returning: Legacy.self).decoder(decoder).value()
    /// ```
    public consuming func decoder(_ decoder: some BodyDecoder) -> Self { with { $0.settings.decoder = decoder } }

    /// Sets the maximum size of the response body in memory, in bytes after decompression.
    public consuming func bodyLimit(_ bytes: Int) -> Self { with { $0.settings.bodyBytes = max(0, bytes) } }

    /// Sets the HTTP versions that this call may use.
    public consuming func httpVersion(_ version: HTTPVersionPolicy) -> Self {
        with { $0.settings.httpVersion = version }
    }
}

// MARK: Verbs

extension RequestBuilder {
    /// Sends the request and returns the value.
    ///
    /// - Throws: ``HeliumError``; `CancellationError` if the task was cancelled.
    public func value() async throws -> Value { try await response().value }

    /// Sends the request and returns the response with its value.
    ///
    /// - Throws: ``HeliumError``; `CancellationError` if the task was cancelled.
    public func response() async throws -> HeliumResponse<Value> {
        do throws(HeliumError) {
            return try await send()
        } catch {
            throw Pipeline.surfaced(error)
        }
    }

    /// Sends the request and returns as soon as the response head has arrived. The body follows as a stream.
    ///
    /// The stream consists of the body's bytes, whatever the builder's value type is.
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
    /// The handler runs on Swift's cooperative threads, never on a thread of the transport, so it may take a long time.
    ///
    /// - Returns: The running call, which ``HeliumTask/cancel()`` cancels.
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

    /// Validates the call and creates its request, without I/O.
    func prepared(isStream: Bool) throws(HeliumError) -> PreparedRequest {
        try draft.prepared(
            for: pipeline,
            accept: reader.isDecoded && !isStream ? bodyDecoder.mediaType : nil,
            resultType: reader.resultType,
            isStream: isStream
        )
    }

    /// Validates the call and creates its request, which the client sends with a transport of its own, without I/O.
    package func prepared(over transport: any HTTPTransport) throws(HeliumError) -> PreparedRequest {
        try draft.prepared(for: pipeline, accept: nil, resultType: nil, isStream: false, transport: transport)
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
        // A short body is read at once. Reading a long one takes noticeable time, so it races with the deadline.
        let value =
            exchange.bodySize < Pipeline.longBodyBytes || !reader.isDecoded
            ? try reader.read(exchange, reading) : try await pipeline.read(exchange, by: reader, reading)
        let report = reading.collector?.report ?? DecodingReport()
        return HeliumResponse(value: value, exchange: consume exchange, report: report)
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
                // The head has arrived, even if a third-party transport reports otherwise.
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
    /// The method and the path template.
    public var description: String { "\(draft.method.rawValue) \(draft.path)" }
    /// The method and the path template.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
