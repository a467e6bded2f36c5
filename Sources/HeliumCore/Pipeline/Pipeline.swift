internal import HTTPTypes
package import HeliumEssentials

/// The path of every call, from the outside in:
///
/// 1. The gate admits as many concurrent calls as ``ConcurrencyLimits`` allow.
/// 2. ``ClientOptions/interceptors`` run once per call. Caches and coalescing belong here.
/// 3. Redirects and retries are each decided by a type of their own (``RedirectDecision``, ``RetryDecision``).
/// 4. ``ClientOptions/attemptInterceptors`` run once per attempt.
/// 5. The authorizer runs last and again for every attempt, so that it signs exactly what is sent.
/// 6. The transport of the client, or of the call, sends the request. Then, outwards, the authorizer reviews rejected
///    responses, and the status is checked.
///
/// All waiting is bounded by the call's deadline. Between calls the pipeline keeps only the gate's count and the
/// balance of the retry budget.
package final class Pipeline: Sendable {
    /// The maximum number of attempts of one call that an authorizer can cause.
    static let authorizationAttempts = 3
    /// The number of bytes that are kept of a failure's body if the response was requested as a stream.
    static let failureBodyBytes = TransportFailure.keptBodyBytes
    /// The maximum size of a redirect's body that is read so that its connection can be reused. Reading more costs more
    /// than a new connection.
    static let redirectBodyBytes = 4 << 10
    /// The time limit for a redirect's body, which must not use up the time of the call.
    static let redirectBodyLimit = Duration.seconds(1)

    package let options: ClientOptions
    package let origin: Origin
    package let transport: any HTTPTransport
    package let authorizer: any Authorizer
    package let clock: any HeliumClock
    package let random: RandomSource
    let gate: AdmissionGate
    let retries: RetryAccount
    let observer: ClientObserver?
    /// Ends delays, and waits for operations that may ignore that the client closes.
    let closing = Signal<Void>()
    /// Whether the pipeline enforces the deadline of a transfer.
    let racesTransfers: Bool
    /// See ``HTTPTransport/reportLimit``.
    let reportLimit: Duration?
    let targets: TargetBuilder
    let baseFields: HTTPFields
    /// The media type of the client's decoder, and the fields of a request that accepts it. Most calls have these.
    let acceptedType: String
    let acceptingFields: HTTPFields
    /// The secrets to mask in descriptions of a response's head. One closure for all responses.
    private let maskedSecrets: @Sendable () -> [String]

    /// Creates a pipeline.
    ///
    /// - Throws: ``FailureKind/invalidConfiguration`` if the base URL or an option is invalid.
    package init(
        baseURL: URL,
        options: ClientOptions,
        transport: any HTTPTransport,
        authorizer: any Authorizer,
        clock: any HeliumClock,
        random: RandomSource = .system
    ) throws(HeliumError) {
        do throws(InvalidURL) {
            origin = try Origin(baseURL)
        } catch {
            throw HeliumError(configuration: "base URL: \(error.description)")
        }
        let parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        guard parts?.percentEncodedQuery == nil, parts?.percentEncodedFragment == nil else {
            throw HeliumError(configuration: "base URL: it must not have a query or fragment")
        }
        guard options.userAgent.utf8.count >= 5, options.userAgent.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw HeliumError(configuration: "the user agent must be 5 or more printable ASCII characters")
        }
        guard options.limits.bodyBytes >= 0, options.limits.headerBytes > 0, options.limits.headerCount > 0 else {
            throw HeliumError(configuration: "every ceiling must be positive")
        }
        guard options.concurrency.maximumConcurrent > 0, options.concurrency.maximumQueued >= 0 else {
            throw HeliumError(configuration: "the concurrency limits must allow at least one call")
        }
        targets = TargetBuilder(basePath: parts?.percentEncodedPath ?? "")
        let fields = Self.baseFields(options)
        baseFields = fields
        acceptedType = options.decoder.mediaType
        acceptingFields = fields.accepting(acceptedType)
        self.options = options
        self.transport = transport
        self.authorizer = authorizer
        maskedSecrets = { authorizer.secrets }
        self.clock = clock
        self.random = random
        racesTransfers = !transport.keepsDeadlines
        reportLimit = transport.reportLimit
        gate = AdmissionGate(options.concurrency)
        retries = RetryAccount(options.retryBudget)
        observer = ClientObserver(options.observability, origin: origin, clock: clock) { authorizer.secrets }
        authorizer.adopt(clock: clock, random: random)
    }

    private static func baseFields(_ options: ClientOptions) -> HTTPFields {
        var fields = options.fields
        if !fields.contains(.userAgent) { fields[.userAgent] = options.userAgent }
        return fields
    }
}

// MARK: A call

extension Pipeline {
    /// Sends a request and returns the final response.
    ///
    /// - Throws: ``HeliumError`` for every failure, including cancellation.
    package func exchange(_ prepared: PreparedRequest) async throws(HeliumError) -> Exchange {
        let began = clock.uptime
        let deadline = Deadline(after: prepared.request.timeouts.total, from: began, clock: clock)
        var call = Call(prepared: prepared, deadline: deadline, began: began)
        if let observer {
            call.observer = observer.begin(
                prepared.request.method,
                template: prepared.template,
                url: prepared.request.url
            )
        }
        var response: TransportResponse
        var isInside = false
        do throws(HeliumError) {
            if gate.enterAtOnce() != .inside { try await waitForTurn(&call) }
            isInside = true
            retries.callBegins()
            response =
                options.interceptors.isEmpty
                ? try await deliver(prepared.request, call: &call) : try await intercepted(&call)
            guard prepared.acceptableStatusCodes.contains(response.head.status) else {
                throw try await unacceptable(response, call: call)
            }
        } catch {
            if isInside { gate.leave() }
            call.observer?.didEnd(status: error.status, error: error)
            throw error
        }
        call.observer?.didEnd(status: response.head.status, error: nil)
        leave(with: &response)
        return Exchange(
            prepared: prepared,
            response: consume response,
            url: call.request.url,
            attempts: call.attempts,
            deadline: deadline
        )
    }

    @inline(never)
    private func waitForTurn(_ call: inout Call) async throws(HeliumError) {
        call.hasWaited = true
        let limits = [call.prepared.request.timeouts.queue, call.deadline.remaining].compactMap { $0 }
        let timer = limits.min().map { [clock] limit in
            let end = clock.uptime + limit.withinCentury
            return { @Sendable in try await clock.waitForDeadline(at: end) }
        }
        let answer = await gate.enter(timer: timer)
        guard answer != .inside else { return }
        throw call.failure(atGate: answer)
    }

    /// Leaves the gate: immediately, or when a streamed body has ended.
    private func leave(with response: inout TransportResponse) {
        response.head.secrets = maskedSecrets
        guard case .stream(let stream) = response.body else { return gate.leave() }
        response.body = .stream(stream.whenOver { [gate] in gate.leave() })
    }
}

// MARK: Closing

extension Pipeline {
    /// Admits no more calls.
    package func stopAdmitting() { gate.close() }

    /// Admits no more calls, ends those in progress including their delays, and shuts down the transport. Returns when
    /// all of that is done.
    package func close() async {
        gate.close()
        // Ends the waits of calls first, so that they fail with the client's end and not with the authorizer's.
        if closing.settle() { authorizer.clientDidClose() }
        await transport.shutdown()
    }

    /// Waits until no call is in progress, for at most `limit`. Returns whether that is the case.
    ///
    /// Cancelling the calling task ends the wait.
    package func drained(within limit: Duration) async -> Bool {
        let gate = gate
        let isEmpty = try? await Deadline(after: limit, clock: clock).race {
            await gate.waitUntilEmpty()
            return true
        }
        return isEmpty ?? (gate.count == 0)
    }

    /// The number of calls in progress, including streamed responses that have not ended, and of calls that wait in the
    /// queue.
    package var load: (running: Int, waiting: Int) { (gate.count, gate.waiting) }

    /// The number of whole retries that the budget still allows.
    package var remainingRetries: Int { retries.remaining }
}

// MARK: Failures

extension Pipeline {
    /// Creates the error of a call whose response has a status that is not acceptable.
    ///
    /// Not inlined: see ``deliver(_:call:)``.
    @inline(never)
    private func unacceptable(
        _ response: TransportResponse,
        call: Call
    ) async throws(HeliumError) -> HeliumError {
        let response = try await settled(response, call: call)
        var error = call.make(
            .unacceptableStatus,
            .answered,
            "status \(response.head.status) is not acceptable"
        )
        error[fact: \.retryRefusal] = call.refusal
        return call.failure(describing(response, in: error))
    }

    /// Returns the error with the head, the body and the server errors of a response.
    package func describing(_ response: TransportResponse, in error: HeliumError) -> HeliumError {
        var error = error
        error[fact: \.head] = response.head
        error[fact: \.head]?.secrets = maskedSecrets
        if let body = response.collectedBody {
            error[fact: \.body] = body
            let redactor = Redactor(secrets: authorizer.secrets)
            error[fact: \.bodyExcerpt] = Self.excerpt(of: body, redactor)
            error[fact: \.serverErrors] = options.envelope.serverErrors(
                in: body,
                as: options.vocabulary.errorForm,
                using: options.decoder
            )
            .map { $0.redacted(by: redactor) }
            error[fact: \.errorBody] = ErrorBody(head: response.head, body: body, serverErrors: error.serverErrors)
                .redacted(by: redactor)
        }
        return error
    }

    private static func excerpt(of body: Data, _ redactor: Redactor) -> String {
        // Masks before cutting, because a secret that is cut in two would not be recognized.
        let masked = redactor.redact(String(decoding: body.prefix(4096), as: UTF8.self))
        return PeerText.beginning(of: PeerText.escaped(masked), bytes: 1024)
    }
}
