internal import HTTPTypes
internal import HeliumCore
internal import HeliumEssentials

/// The two requests of the devices resource (Docs/Protocols/Middleware.md §3). It keeps no state between them.
struct DeviceService: Sendable {
    /// The result of a registration.
    struct Registered: Sendable {
        let token: String
        /// The server's clock minus the client's when the response arrived; `nil` if the response contains no time.
        let clockOffset: Duration?
    }

    let url: RequestURL
    let transport: any HTTPTransport
    let clock: any HeliumClock
    let timeouts: PhaseTimeouts
    let version: HTTPVersionPolicy
    let userAgent: String
    let decoder: any BodyDecoder
    let secret: Secret

    /// Registers a device.
    func register(_ description: Data) async throws(HeliumError) -> Registered {
        let request = request(.post, url, body: description)
        let response = try await send(request)
        guard response.head.status == 200 || response.head.status == 201 else {
            throw failure(request, response, "the device was not registered: status \(response.head.status)")
        }
        let reply = try? JSONValue(parsing: response.collectedBody ?? Data())
        guard let token = reply?["response"]?["id"]?.stringValue, Self.isToken(token) else {
            throw failure(request, response, "the reply to the registration has no id of 32 hexadecimal characters")
        }
        return Registered(token: token, clockOffset: response.head.serverTime.map { $0 - clock.wallTime })
    }

    /// Sends a changed description, signed by `sign`. Returns the response whatever its status.
    func update(
        _ description: Data,
        token: String,
        sign: (inout TransportRequest) -> Void
    ) async throws(HeliumError) -> (request: TransportRequest, response: TransportResponse) {
        var request = request(.put, url.appending(segment: token), body: description)
        sign(&request)
        return (request, try await send(request))
    }

    /// Returns whether the text is a device id as the middleware issues it (Docs/Protocols/Middleware.md §3.1). Any
    /// other text could not be separated from the rest of a key.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
    }

    /// Converts a response to an error with the server's errors.
    ///
    /// - Parameter tokens: The tokens to mask in addition to the secret. The URL of an update ends with one, which
    ///   servers quote.
    func failure(
        _ request: TransportRequest,
        _ response: TransportResponse,
        _ message: String,
        hiding tokens: [String] = []
    ) -> HeliumError {
        let secrets = [secret.value] + tokens
        let redactor = Redactor(secrets: secrets)
        var error = HeliumError(
            .registrationFailed,
            request: summary(of: request),
            delivery: .answered,
            message: message
        )
        error[fact: \.head] = response.head
        error[fact: \.head]?.secrets = { secrets }
        error[fact: \.serverErrors] = ResponseEnvelope.middleware.serverErrors(
            in: response.collectedBody ?? Data(),
            as: ServerError.self,
            using: decoder
        )
        .map { $0.redacted(by: redactor) }
        return error
    }

    /// Creates an error of a registration without a response.
    func failure(_ message: String) -> HeliumError {
        HeliumError(
            .registrationFailed,
            request: RequestSummary(method: .post, url: url.redacted),
            delivery: .notSent,
            message: message
        )
    }

    private func request(_ method: HTTPRequest.Method, _ url: RequestURL, body: Data) -> TransportRequest {
        TransportRequest(
            method: method,
            url: url,
            fields: [.userAgent: userAgent, .accept: "application/json", .contentType: "application/json"],
            body: body,
            timeouts: timeouts,
            responseBody: .collect(upTo: 64 << 10),
            version: version
        )
    }

    private func send(_ request: TransportRequest) async throws(HeliumError) -> TransportResponse {
        do throws(TransportFailure) {
            // A registration that was forgotten while its store was checked must not be sent after the next one. A program's
            // own transport need not look.
            if Task.isCancelled {
                throw TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
            }
            return try await transport.execute(request, by: clock)
        } catch {
            // A refusal counts even if its body can't be read.
            if let response = error.interruptedResponse, response.head.status >= 400 { return response }
            throw HeliumError(error, request: summary(of: request))
        }
    }

    /// Returns the summary of a request. The URL of a PUT ends with the token, which is masked.
    private func summary(of request: TransportRequest) -> RequestSummary {
        let isUpdate = request.method == .put
        return RequestSummary(method: request.method, url: url.redacted + (isUpdate ? "/" + Redactor.mask : ""))
    }
}
