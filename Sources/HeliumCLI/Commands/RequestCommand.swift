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

    @Option(help: ArgumentHelp("A JSON body, or @FILE to read it from a file.", valueName: "body"))
    var json: String?

    @Option(help: "text: the body; json: status, fields, timings and body in one document.")
    var format = OutputFormat.text

    @Flag(name: .shortAndLong, help: "Tell status, fields and timings on stderr.")
    var verbose = false

    func validate() throws {
        guard HTTPRequest.Method(method.uppercased()) != nil else { throw ValidationError("\(method) is no method") }
        if credentials.isGiven != (device.devicesUrl != nil), credentials.secret != nil || device.devicesUrl != nil {
            throw ValidationError("a signed request needs a secret and --devices-url")
        }
    }

    func run() async throws {
        let content = try json.map { try Self.content($0) }
        let helium = try makeClient()
        do {
            let response = try await call(helium, content).response()
            await helium.close()
            try show(response)
        } catch {
            await helium.close()
            throw format.report(error)
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
        return connection.timeout.map { call.timeout($0.duration) } ?? call
    }

    private func makeClient() throws -> Helium {
        do {
            if let url = device.devicesUrl?.url {
                let (secret, secretID) = try credentials.resolved()
                var configuration = HeliumConfiguration(
                    secret: secret,
                    secretID: secretID,
                    baseURL: baseUrl.url,
                    device: try device.configuration(url: url)
                )
                configuration.connection = connection.connection
                return try Helium(configuration)
            }
            let url = baseUrl.url
            if let token = ProcessInfo.processInfo.environment["HELIUM_BEARER"], !token.isEmpty {
                return try Helium(baseURL: url, authorizer: .bearer(token), connection: connection.connection)
            }
            return try Helium(baseURL: url, connection: connection.connection)
        } catch let error as HeliumError {
            throw ValidationError(error.message)
        }
    }

    private static func content(_ text: String) throws -> RequestContent {
        var data = Data(text.utf8)
        if text.hasPrefix("@") {
            let path = String(text.dropFirst())
            guard let contents = FileManager.default.contents(atPath: path) else {
                throw ValidationError("the file \(path) can't be read")
            }
            data = contents
        }
        // It is sent as it stands; only that it is JSON is checked.
        guard (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil else {
            throw ValidationError("--json is no JSON")
        }
        return .json(data)
    }
}

// MARK: Output

extension RequestCommand {
    private func show(_ response: HeliumResponse<Data>) throws {
        if verbose { tell(response) }
        switch format {
        case .json:
            Console.print(try Document.line(AnswerDocument(response)))
        case .text where Console.isTerminal:
            Console.print(Self.pretty(response.value))
        case .text:
            Console.write(response.value, to: .standardOutput)
        }
    }

    private func tell(_ response: HeliumResponse<Data>) {
        Console.note("\(response.head.version) \(response.status)")
        for field in response.fields { Console.note("\(field.name.rawName): \(AnswerDocument.shown(field))") }
        let times = AnswerDocument.milliseconds(response.timings).sorted { $0.value < $1.value }
        Console.note("time: " + times.map { "\($0.key) \($0.value) ms" }.joined(separator: ", "))
        for attempt in response.attempts { Console.note("attempt \(attempt)") }
    }

    private static func pretty(_ body: Data) -> String {
        guard let value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(
                withJSONObject: value,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
            )
        else { return String(decoding: body, as: UTF8.self) }
        return String(decoding: data, as: UTF8.self)
    }
}

/// An answer as programs read it.
private struct AnswerDocument: Encodable {
    struct Field: Encodable {
        let name: String
        let value: String
    }

    let status: Int
    let fields: [Field]
    let milliseconds: [String: Double]
    let attempts: Int
    let body: String

    init(_ response: HeliumResponse<Data>) {
        status = response.status
        fields = response.fields.map { Field(name: $0.name.canonicalName, value: Self.shown($0)) }
        milliseconds = Self.milliseconds(response.timings)
        attempts = response.attempts.count
        body = String(decoding: response.value, as: UTF8.self)
    }

    /// A field's value, credentials masked.
    static func shown(_ field: HTTPField) -> String {
        SensitiveFields.contains(field.name) ? "[redacted]" : field.value
    }

    static func milliseconds(_ timings: TransferTimings) -> [String: Double] {
        [
            "nameLookup": timings.nameLookup, "connect": timings.connect, "tlsHandshake": timings.tlsHandshake,
            "firstByte": timings.firstByte, "total": timings.total,
        ]
        .compactMapValues { $0.map { ($0 / .microseconds(10)).rounded() / 100 } }
    }
}
