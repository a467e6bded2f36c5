import ArgumentParser
import Foundation
import HeliumKit

/// The `helium request` command: sends one request with the SDK.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Send a request and print the response's body.",
        discussion: """
            With a secret and --devices-url, the request is signed for the middleware, and the device is registered if \
            needed. Otherwise the request is sent without a signature, with the bearer token in HELIUM_BEARER if it is \
            set. If HELIUM_BASE_URL is set, that token is sent only to its origin.

            The body is given by one of --json, --upload, --form and --multipart. The response's body is written to \
            stdout as it arrives, byte for byte. On a terminal, control characters are escaped and JSON is formatted. \
            --output writes the body to a file. Everything else is printed on stderr. The output is never coloured.

            With a status other than 2xx, the exit code is 1 and nothing is printed on stdout, as with curl's --fail. \
            -v prints the head and body of a failed response on stderr. --format json has both in its document on \
            stderr.
            """
    )

    @Argument(help: "The method: GET, POST, PUT, PATCH, DELETE, HEAD.")
    var method: String

    @Argument(
        help: "The path below the base URL, or an absolute URL; --replace fills segments :name."
    )
    var path: String

    @Option(
        help: ArgumentHelp(
            "The base URL; its own path is kept. Default: the variable HELIUM_BASE_URL.",
            valueName: "url"
        )
    )
    var baseUrl: WebURL?

    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("A value for a placeholder of the path.", valueName: "name=value"))
    var replace: [NamedValue] = []

    @Option(help: ArgumentHelp("A query parameter; repeat a name for a list.", valueName: "name=value"))
    var param: [NamedValue] = []

    @Option(name: [.customShort("H"), .long], help: ArgumentHelp("A header field.", valueName: "name:value"))
    var header: [HeaderArgument] = []

    @OptionGroup var body: BodyOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var curl: CurlOptions

    @Option(help: "text: the body; json: status, fields, timings and body in one document.")
    var format = OutputFormat.text

    @Flag(
        help: "Print the time of each phase of each attempt on stderr; with json, in the document."
    )
    var timings = false

    @Flag(
        name: .shortAndLong,
        help: "Print status, fields and timings on stderr; for a failed response, also the body."
    )
    var verbose = false

    @Flag(help: "Also print the body of a failed response, up to 64 KiB, on stdout. The exit code is still 1.")
    var failWithBody = false

    func validate() throws {
        guard HTTPRequest.Method(method.uppercased()) != nil else {
            throw ValidationError("invalid method \"\(method)\": use for example GET or POST")
        }
        if credentials.isGiven != (device.devicesUrl != nil), credentials.secret != nil || device.devicesUrl != nil {
            throw ValidationError(
                device.devicesUrl == nil
                    ? "a signed request needs --devices-url"
                    : "a signed request needs a secret: set HELIUM_SECRET, or give --secret-file or --secret"
            )
        }
        for (index, field) in header.enumerated() where HTTPField.Name(field.name) == nil {
            // The value is not quoted: if the colon is missing, the text contains the credential.
            throw ValidationError("invalid --header number \(index + 1): use name:value")
        }
        _ = try address()
        _ = try device.resolvedURL()
    }

    func run() async throws {
        connection.apply()
        let content = try body.content()
        if curl.curl { return try await printCommand(content) }
        let helium = try makeClient()
        let exchange = RequestExchange(
            call: call(helium, content, path: try address().path),
            destination: destination,
            maximumBytes: transfer.maximumBytes,
            limit: connection.timeout?.duration,
            sendsMuch: body.isStreamed,
            display: ProgressDisplay(.standardError),
            report: ResponseReport(format: format, isVerbose: verbose, isTimed: timings, scrubber: scrubber),
            showsFailedBody: failWithBody
        )
        do {
            let answer = try await exchange.answerUnlessInterrupted()
            await helium.close()
            try exchange.report.show(answer)
        } catch {
            await helium.close()
            if error is OutputFailure { throw error }
            let report = FailureReport(format: format, isTimed: timings, isVerbose: verbose, scrubber: scrubber)
            throw report.show(error)
        }
    }

    private var destination: RequestExchange.Destination {
        if let output = transfer.file { return .file(path: output, isResuming: transfer.resume) }
        return format == .json ? .memory : .standardOutput
    }

    private func call(_ helium: Helium, _ content: RequestContent?, path: String) -> RequestBuilder<Data> {
        var replacements: [String: String] = [:]
        for item in replace { replacements[item.name] = item.value }
        var fields: [String: String?] = [:]
        for item in header { fields[item.name] = item.value }
        // `validate` has checked the method.
        let method = HTTPRequest.Method(method.uppercased()) ?? .get
        let call = helium.request(method, path, body: content, returning: Data.self)
            .parameters(NamedValue.lists(param)).pathReplacements(replacements).fields(fields)
        return transfer.applied(to: connection.timeout.map { call.timeout($0.duration) } ?? call)
    }
}

// MARK: The client

extension RequestCommand {
    private func address() throws -> RequestAddress {
        try RequestAddress(
            path: path,
            option: baseUrl,
            environment: CommandContext.current.variable(RequestAddress.variable)
        )
    }

    private func makeClient(environment: ClientEnvironment = CommandContext.current.client) throws -> Helium {
        let (address, connection) = (try address(), connection.connection)
        if let devicesURL = try device.resolvedURL() {
            let (secret, secretID) = try credentials.resolvedForDevice()
            var configuration = HeliumConfiguration(
                secret: secret,
                secretID: secretID,
                baseURL: address.base,
                device: try device.configuration(url: devicesURL)
            )
            configuration.options.httpVersion = transfer.options.httpVersion
            configuration.connection = connection
            configuration.environment = environment
            do { return try Helium(configuration) } catch { throw ValidationError(error.message) }
        }
        var authorizer: any Authorizer = NoAuthorizer()
        do {
            if let token = bearerToken(for: address) { authorizer = try FieldAuthorizer.bearer(Secret(token)) }
        } catch {
            throw ValidationError("invalid HELIUM_BEARER: \(error.message)")
        }
        do {
            return try Helium(
                baseURL: address.base,
                authorizer: authorizer,
                options: transfer.options,
                connection: connection,
                environment: environment
            )
        } catch {
            throw ValidationError(error.message)
        }
    }

    private func bearerToken(for address: RequestAddress) -> String? {
        guard let token = Self.bearerToken else { return nil }
        if address.isHomeOfBearer { return token }
        Console.current.note("helium: HELIUM_BEARER is not sent: the origin of the URL is not that of HELIUM_BASE_URL")
        return nil
    }

    private static var bearerToken: String? { CommandContext.current.variable("HELIUM_BEARER") }

    /// Masks the secrets of the command line wherever they occur in the fields of a response.
    private var scrubber: SecretScrubber {
        let fields = header.filter { HTTPField.Name($0.name).map(SensitiveFields.contains) ?? true }.map(\.value)
        let tokens = fields.flatMap { [$0] + $0.split(separator: " ").dropFirst().map(String.init) }
        let named = (param + body.form + body.formString).filter { SecretScrubber.isSensitive($0.name) }.map(\.value)
        let secret = credentials.isGiven ? try? credentials.resolved().secret.value : nil
        let secrets = [Self.bearerToken, secret].compactMap(\.self) + tokens + named
        // Masking very short secrets would make the output unreadable.
        return SecretScrubber(secrets: secrets.filter { $0.utf8.count >= 6 })
    }
}

// MARK: --curl

extension RequestCommand {
    /// Prints the `curl` command instead of sending the request. The client's transport does not send anything.
    private func printCommand(_ content: RequestContent?) async throws {
        let helium = try makeClient(environment: ClientEnvironment(transport: OfflineTransport()))
        let secret = device.devicesUrl == nil ? nil : try credentials.resolved().secret.value
        let command = CurlCommandLine(
            // curl creates a multipart form itself, with its own delimiter.
            call: call(helium, body.isMultipart ? nil : content, path: try address().path),
            body: body,
            transfer: transfer,
            isShowingSecrets: curl.showSecrets,
            secrets: [secret, Self.bearerToken].compactMap(\.self)
        )
        do {
            let (text, isAuthorized) = try await command.text()
            await helium.close()
            if !isAuthorized {
                Console.current.note("helium: not signed: register a device first (helium device register)")
            }
            try Console.current.print(text)
        } catch {
            await helium.close()
            throw FailureReport(format: format).show(error)
        }
    }
}
