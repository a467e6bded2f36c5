import ArgumentParser
import Foundation
import HeliumKit

/// `helium request`: one call through the SDK.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Send a request and print the answer's body.",
        discussion: """
            With a secret and --devices-url the request is signed for the middleware, and the device registered when \
            needed. Without, it is sent as it is, or with the bearer token in HELIUM_BEARER.

            A body comes from one of --json, --upload and --form. The answer's body goes to stdout, or to the file of \
            --output; everything else is told on stderr.
            """
    )

    @Argument(help: "The method: GET, POST, PUT, PATCH, DELETE, HEAD.")
    var method: String

    @Argument(help: "The path below the base URL; segments :name are filled by --replace.")
    var path: String

    @Option(help: ArgumentHelp("The base URL; its own path is kept.", valueName: "url"))
    var baseUrl: WebURL

    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("A value for a placeholder of the path.", valueName: "name=value"))
    var replace: [NamedValue] = []

    @Option(help: ArgumentHelp("A query parameter; repeat a name for a list.", valueName: "name=value"))
    var param: [NamedValue] = []

    @Option(name: [.short, .long], help: ArgumentHelp("A header field.", valueName: "name:value"))
    var header: [HeaderArgument] = []

    @OptionGroup var body: BodyOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var curl: CurlOptions

    @Option(help: "text: the body; json: status, fields, timings and body in one document.")
    var format = OutputFormat.text

    @Flag(
        help: "Tell on stderr where the time went, phase by phase and attempt by attempt; with json, in the document."
    )
    var timings = false

    @Flag(name: .shortAndLong, help: "Tell status, fields and timings on stderr.")
    var verbose = false

    func validate() throws {
        guard HTTPRequest.Method(method.uppercased()) != nil else { throw ValidationError("\(method) is no method") }
        if credentials.isGiven != (device.devicesUrl != nil), credentials.secret != nil || device.devicesUrl != nil {
            throw ValidationError("a signed request needs a secret and --devices-url")
        }
    }

    func run() async throws {
        let content = try body.content()
        if curl.curl { return try await printCommand(content) }
        let helium = try makeClient()
        let exchange = RequestExchange(
            call: call(helium, content),
            target: transfer.output,
            isResuming: transfer.resume,
            sendsMuch: body.isStreamed,
            display: ProgressDisplay(.standardError)
        )
        do {
            let answer = try await exchange.answerUnlessInterrupted()
            await helium.close()
            try AnswerReport(format: format, isVerbose: verbose, isTimed: timings).show(answer)
        } catch {
            await helium.close()
            throw format.report(error, isTimed: timings)
        }
    }

    private func call(_ helium: Helium, _ content: RequestContent?) -> RequestBuilder<Data> {
        var parameters: [String: [String]] = [:]
        for item in param { parameters[item.name, default: []].append(item.value) }
        var replacements: [String: String] = [:]
        for item in replace { replacements[item.name] = item.value }
        var headers: [String: String?] = [:]
        for item in header { headers[item.name] = item.value }
        // The method was checked by `validate`.
        let method = HTTPRequest.Method(method.uppercased()) ?? .get
        let call = helium.request(method, path, body: content, returning: Data.self)
            .parameters(parameters).pathReplacements(replacements).headers(headers)
        return transfer.applied(to: connection.timeout.map { call.timeout($0.duration) } ?? call)
    }
}

// MARK: The client

extension RequestCommand {
    private func makeClient(environment: ClientEnvironment = ClientEnvironment()) throws -> Helium {
        let (url, connection) = (baseUrl.url, connection.connection)
        do {
            if let devicesURL = device.devicesUrl?.url {
                let (secret, secretID) = try credentials.resolved()
                var configuration = HeliumConfiguration(
                    secret: secret,
                    secretID: secretID,
                    baseURL: url,
                    device: try device.configuration(url: devicesURL)
                )
                configuration.options.httpVersion = transfer.options.httpVersion
                configuration.connection = connection
                configuration.environment = environment
                return try Helium(configuration)
            }
            if let token = Self.bearerToken {
                return try Helium(
                    baseURL: url,
                    authorizer: .bearer(token),
                    options: transfer.options,
                    connection: connection,
                    environment: environment
                )
            }
            return try Helium(baseURL: url, options: transfer.options, connection: connection, environment: environment)
        } catch let error as HeliumError {
            throw ValidationError(error.message)
        }
    }

    private static var bearerToken: String? {
        ProcessInfo.processInfo.environment["HELIUM_BEARER"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

// MARK: --curl

extension RequestCommand {
    /// Prints the command in place of sending the request: the client's transport sends nothing.
    private func printCommand(_ content: RequestContent?) async throws {
        let helium = try makeClient(environment: ClientEnvironment(transport: OfflineTransport()))
        let secret = device.devicesUrl == nil ? nil : try credentials.resolved().secret
        let command = CurlCommandLine(
            // curl makes a form by itself, with a delimiter of its own.
            call: call(helium, body.form.isEmpty ? content : nil),
            body: body,
            transfer: transfer,
            isShowingSecrets: curl.showSecrets,
            secrets: [secret, Self.bearerToken].compactMap(\.self)
        )
        do {
            let (text, isAuthorized) = try await command.text()
            await helium.close()
            if !isAuthorized {
                Console.note("helium: not signed: that takes a registered device (helium device register)")
            }
            try Console.print(text)
        } catch {
            await helium.close()
            throw format.report(error)
        }
    }
}
