internal import HTTPTypes
internal import HeliumCore
internal import HeliumEssentials

/// Signs requests for the middleware (Docs/Protocols/Middleware.md §1) with a registered device's token (§3 and §4).
struct MiddlewareAuthorizer: Authorizer {
    let registrar: DeviceRegistrar
    private let clock: any HeliumClock
    private let secret: Secret

    init(_ configuration: HeliumConfiguration, transport: any HTTPTransport) throws(HeliumError) {
        let device = configuration.device
        guard !configuration.secret.value.isEmpty else { throw HeliumError(configuration: "the secret is empty") }
        guard DeviceService.isToken(configuration.secretID) else {
            throw HeliumError(configuration: "the secret id must be 32 lower-case hexadecimal characters")
        }
        let url: RequestURL
        do throws(InvalidURL) {
            let text = device.url.absoluteString
            guard !text.contains("?"), !text.contains("#") else {
                throw InvalidURL("it must not have a query or fragment")
            }
            url = try RequestURL(text.hasSuffix("/") ? String(text.dropLast()) : text)
        } catch {
            throw HeliumError(configuration: "devices URL: \(error.description)")
        }
        var timeouts = configuration.options.timeouts
        timeouts.total = device.timeout
        clock = configuration.environment.clock
        secret = configuration.secret
        registrar = DeviceRegistrar(
            service: DeviceService(
                url: url,
                transport: transport,
                clock: clock,
                timeouts: timeouts,
                version: configuration.options.httpVersion,
                userAgent: configuration.options.userAgent,
                decoder: HeliumJSONDecoder(),
                secret: configuration.secret
            ),
            secret: configuration.secret,
            secretID: configuration.secretID,
            device: device,
            storeKey: TokenStoreKey(devicesURL: device.url, secretID: configuration.secretID),
            environment: configuration.environment
        )
    }

    func authorizeImmediately(_ request: inout TransportRequest) throws -> Bool {
        // A body that must be read for its signature requires waiting.
        if request.upload != nil, request.needsUploadHash { return false }
        guard let credential = registrar.readyCredential else { return false }
        credential.sign(&request, now: clock.wallTime)
        return true
    }

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
        let hash = request.upload == nil ? nil : try await request.uploadHash()
        let credential: RegistrationState.Credential
        if let ready = registrar.readyCredential {
            // The request waited only for the hash of its body, and not for a registration or update.
            credential = ready
        } else {
            credential = try await registrar.credential(within: context.deadline)
        }
        credential.sign(&request, now: clock.wallTime, uploadHash: hash)
    }

    func needsReview(of head: ResponseHead, to request: TransportRequest) -> Bool { head.status == 401 }

    func didReceive(_ head: ResponseHead, for request: TransportRequest) {
        // 101 accepts the request of a WebSocket.
        if 200..<300 ~= head.status || head.status == 101, registrar.awaitsConfirmation { registrar.confirm(request) }
    }

    func review(_ answer: AuthorizedResponse, context: AuthorizationContext) async throws -> AuthorizationReview {
        try await registrar.review(answer, reasons: context.retryReasons)
    }

    func close() { registrar.close() }

    var secrets: [String] { [secret.value] + registrar.tokens }
}
