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
        // An option that has only a meaning for a signed request must not be ignored.
        if device.devicesUrl == nil, credentials.hasOption || device.tokenStore != nil {
            throw ValidationError("a signed request needs --devices-url")
        }
        if device.devicesUrl != nil, !credentials.isGiven {
            throw ValidationError(
                "a signed request needs a secret: set HELIUM_SECRET, or give --secret-file or --secret"
            )
        }
        try FilePath.checkOneInput(
            ("--secret-file", credentials.secretFile == "-"),
            ("--json", body.json == "@-"),
            ("--upload", body.upload == "-")
        )
        for (index, field) in header.enumerated() where HTTPField.Name(field.name) == nil {
            // The value is not quoted: if the colon is missing, the text contains the credential.
            throw ValidationError("invalid --header number \(index + 1): use name:value")
        }
        _ = try address()
        _ = try device.resolvedURL()
    }

    func run() async throws {
        try connection.apply()
        let content = try body.content()
        // Read once, because the file of the secret may be a pipe.
        let identity = device.devicesUrl == nil ? nil : try credentials.resolvedForDevice()
        Console.current.secrets.add(argumentSecrets)
        if curl.curl { return try await printCommand(content, identity) }
        let helium = try makeClient(identity)
        let scrubber = Console.current.secrets.scrubber
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
        // `validate` has checked the method.
        let method = HTTPRequest.Method(method.uppercased()) ?? .get
        let call = helium.request(method, path, body: content, returning: Data.self)
            .parameters(NamedValue.lists(param)).pathReplacements(replacements)
            .fieldLines(header.map { ($0.name, $0.value) })
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

    private func makeClient(
        _ identity: CredentialOptions.Identity?,
        environment: ClientEnvironment = CommandContext.current.client
    ) throws -> Helium {
        let (address, connection) = (try address(), connection.connection)
        if let devicesURL = try device.resolvedURL(), let (secret, secretID) = identity {
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
            if let token = try bearerToken(for: address) { authorizer = try FieldAuthorizer.bearer(token) }
        } catch let error as HeliumError {
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

    /// Returns the bearer token of the environment, unless it belongs to another origin or the command line has its own
    /// credential.
    private func bearerToken(for address: RequestAddress) throws -> Secret? {
        guard let text = CommandContext.current.variable("HELIUM_BEARER"),
            !header.contains(where: { HTTPField.Name($0.name) == .authorization })
        else { return nil }
        let bound = try BoundSecret(Secret(text), from: .variable("HELIUM_BEARER"), for: address.addresses)
        if let token = try bound.released(to: address.base) { return token }
        Console.current.note("helium: HELIUM_BEARER is not sent: the origin of the URL is not that of HELIUM_BASE_URL")
        return nil
    }

    /// The secrets among the arguments. They are masked in messages, and in the fields of a response.
    private var argumentSecrets: [String] {
        let fields = header.filter { HTTPField.Name($0.name).map(SensitiveFields.contains) ?? true }.map(\.value)
        let tokens = fields.flatMap { [$0] + $0.split(separator: " ").dropFirst().map(String.init) }
        let scrubber = SecretScrubber()
        let named =
            param.filter { scrubber.isSensitive(parameter: $0.name) }
            + (body.form + body.formString + body.textParts).filter { SecretScrubber.isSensitive($0.name) }
        let items = URLComponents(string: path)?.queryItems ?? []
        let queried = items.filter { scrubber.isSensitive(parameter: $0.name) }.compactMap(\.value)
        // The keys in the path, and the parameters of URLs in parameters.
        var harvest = SecretHarvest(scrubber)
        harvest.read(target: path)
        // Values of the path may be keys, and a path has no names. Words are masked nowhere.
        let keys = replace.map(\.value).filter { SecretHarvest.isLikeToken($0.utf8, atLeast: 6) || $0.utf8.count >= 20 }
        return tokens + named.map(\.value) + keys + queried + harvest.secrets.map(\.string)
    }
}

// MARK: --curl

extension RequestCommand {
    /// Prints the `curl` command instead of sending the request. The client's transport does not send anything.
    private func printCommand(_ content: RequestContent?, _ identity: CredentialOptions.Identity?) async throws {
        let helium = try makeClient(identity, environment: ClientEnvironment(transport: OfflineTransport()))
        let command = CurlCommandLine(
            // curl creates a multipart form itself, with its own delimiter.
            call: call(helium, body.isMultipart ? nil : content, path: try address().path),
            body: body,
            transfer: transfer,
            isShowingSecrets: curl.showSecrets
        )
        do {
            let (text, isAuthorized) = try await command.text()
            await helium.close()
            if !isAuthorized {
                Console.current.note("helium: not signed: register a device first (helium device register)")
            }
            try Console.current.print(document: text)
        } catch {
            await helium.close()
            throw FailureReport(format: format).show(error)
        }
    }
}
