import ArgumentParser
import Cosm
import Foundation

/// The server and the key.
struct CosmOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The API's base URL, including the version. Default: the variable COSM_BASE_URL.",
            valueName: "url"
        )
    )
    var baseUrl: WebURL?

    @Option(help: ArgumentHelp("The API key. Better: the variable COSM_API_KEY, or --key-file.", valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("A file or pipe that contains only the key; - for standard input.", valueName: "file"))
    var keyFile: String?

    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try baseUrl?.url(for: "--base-url") }

    /// Runs `work` with the API and closes the API. An error is reported, and the command ends with its exit code.
    func perform(
        socket: ServiceAddresses.Address? = nil,
        _ work: (CosmClient) async throws -> Void
    ) async throws {
        try connection.apply()
        let api = try makeAPI(socket: socket)
        do {
            try await work(api)
            await api.close()
        } catch {
            await api.close()
            throw Self.report(error)
        }
    }

    /// The timeout of a call.
    var callLimit: Duration { connection.timeout?.duration ?? .seconds(60) }

    /// Creates an API. The caller must close it.
    ///
    /// - Parameter socket: The live socket, which also gets the key. Default: none.
    func makeAPI(socket: ServiceAddresses.Address? = nil) throws -> CosmClient {
        var options = ClientOptions()
        options.timeouts.total = callLimit
        let (key, source) = try resolvedKey()
        let addresses = try addresses(socket)
        do {
            return try CosmClient(
                apiKey: try BoundSecret(Secret(key), from: source, for: addresses).releasedToAll(),
                baseURL: addresses.used[0].url,
                socketURL: socket?.url,
                options: options,
                connection: connection.connection,
                environment: CommandContext.current.client
            )
        } catch let error as CosmError {
            throw ValidationError(error.message)
        }
    }

    /// The name of the variable with the URL of the live socket.
    static let socketVariable = "COSM_SOCKET_URL"

    /// The schemes of a live socket.
    static let socketSchemes = ["http", "https", "ws", "wss", "tcp"]

    private func addresses(_ socket: ServiceAddresses.Address?) throws -> ServiceAddresses {
        let context = CommandContext.current
        let home = try context.variable("COSM_BASE_URL").map { try WebURL($0).url(for: "COSM_BASE_URL") }
        let option = try baseUrl?.url(for: "--base-url")
        guard let base = option ?? home else {
            throw ValidationError(
                "no base URL: set COSM_BASE_URL, or give --base-url, for example http://127.0.0.1:8080/v2"
            )
        }
        let source = option == nil ? "COSM_BASE_URL" : "--base-url"
        let address = ServiceAddresses.Address(url: base, source: source, isOption: option != nil)
        // A command without a live socket does not depend on the variable of one.
        let others = context.variable(Self.socketVariable).flatMap {
            try? LiveURL($0).url(for: Self.socketVariable, schemes: Self.socketSchemes)
        }
        return ServiceAddresses(
            used: [address] + (socket.map { [$0] } ?? []),
            environmentBase: home,
            environmentOthers: others.map { [$0] } ?? []
        )
    }

    private func resolvedKey() throws -> (key: String, source: BoundSecret.Source) {
        if key != nil, keyFile != nil { throw ValidationError("give --key or --key-file, not both") }
        if let key {
            // A key on the command line has precedence over the variable.
            return (try CredentialText.checked(key, from: "--key"), .command("--key"))
        }
        if let keyFile {
            guard !keyFile.isEmpty else { throw ValidationError("--key-file is empty: give the path of a file") }
            let key = try InputFile(path: keyFile).secret("key file")
            return (try CredentialText.checked(key, from: "the key file \(keyFile)"), .command("the key file"))
        }
        guard let key = CommandContext.current.variable("COSM_API_KEY") else {
            throw ValidationError("no API key: set COSM_API_KEY, or give --key-file or --key")
        }
        return (try CredentialText.checked(key, from: "COSM_API_KEY"), .variable("COSM_API_KEY"))
    }

    /// Reports a problem with a file, which is not a usage error.
    static func fail(_ reason: String) -> ExitCode {
        Console.current.note("helium: \(reason)")
        return ExitCode(1)
    }

    /// Reports an error on standard error and returns the exit code of the command: 64 for a usage error, otherwise 1.
    static func report(_ error: any Error) -> any Error {
        if error is ExitCode || error is ValidationError { return error }
        let text: OutputText = error is CancellationError ? "interrupted" : "\(error)"
        Console.current.note("helium: \(text)")
        let usage: [CosmError.Kind] = [.invalidRequest, .invalidConfiguration, .unencodable]
        return (error as? CosmError).map { usage.contains($0.kind) } == true ? ExitCode.validationFailure : ExitCode(1)
    }
}
