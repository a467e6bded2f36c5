internal import HTTPTypes
internal import HeliumCore
internal import HeliumEssentials

/// The two calls of the devices resource (middleware.md section 3): one request each, no memory.
struct DeviceService: Sendable {
    /// A registration's outcome.
    struct Registered: Sendable {
        let token: String
        /// Server clock minus ours when the reply arrived, where the reply told it.
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
        let reply = try? decoder.decode(Reply.self, from: response.collectedBody ?? Data(), at: ["response"])
        guard let token = reply?.id, Self.isToken(token) else {
            throw failure(request, response, "the reply to the registration has no id of 32 hexadecimal characters")
        }
        return Registered(token: token, clockOffset: response.head.serverTime.map { $0 - clock.wallTime })
    }

    /// Sends a changed description, signed by `sign`; whatever the status, the answer is returned.
    func update(
        _ description: Data,
        token: String,
        sign: (inout TransportRequest) -> Void
    ) async throws(HeliumError) -> (request: TransportRequest, response: TransportResponse) {
        var request = request(.put, url.appending(segment: token), body: description)
        sign(&request)
        return (request, try await send(request))
    }

    /// What the middleware issues (section 3.1); anything else could not be cut out of a key again.
    static func isToken(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
    }

    /// A response to one of our requests as a failure, with what the server says is wrong.
    ///
    /// - Parameter tokens: The tokens to mask besides the secret. The URL of an update ends with one, which servers quote.
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

    /// A failure of registering that no answer tells.
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
            return try await transport.execute(request, by: clock)
        } catch {
            throw HeliumError(error, request: summary(of: request))
        }
    }

    /// A PUT's URL ends with the token: it is left out.
    private func summary(of request: TransportRequest) -> RequestSummary {
        let isUpdate = request.method == .put
        return RequestSummary(method: request.method, url: url.redacted + (isUpdate ? "/" + Redactor.mask : ""))
    }

    private struct Reply: Decodable {
        let id: String
    }
}
