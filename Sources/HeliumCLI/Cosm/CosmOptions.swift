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

    @Option(help: ArgumentHelp("A file that contains only the key; - for standard input.", valueName: "file"))
    var keyFile: String?

    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try baseUrl?.url(for: "--base-url") }

    /// Runs `work` with the API and closes the API. An error is reported, and the command ends with its exit code.
    func perform(
        socketURL: URL? = nil,
        _ work: (CosmClient) async throws -> Void
    ) async throws {
        connection.apply()
        let api = try makeAPI(socketURL: socketURL)
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
    func makeAPI(socketURL: URL? = nil) throws -> CosmClient {
        var options = ClientOptions()
        options.timeouts.total = callLimit
        do {
            return try CosmClient(
                apiKey: Secret(try resolvedKey()),
                baseURL: try resolvedBaseURL(),
                socketURL: socketURL,
                options: options,
                connection: connection.connection,
                environment: CommandContext.current.client
            )
        } catch let error as CosmError {
            throw ValidationError(error.message)
        }
    }

    private func resolvedBaseURL() throws -> URL {
        if let baseUrl { return try baseUrl.url(for: "--base-url") }
        guard let text = CommandContext.current.variable("COSM_BASE_URL") else {
            throw ValidationError(
                "no base URL: set COSM_BASE_URL, or give --base-url, for example http://127.0.0.1:8080/v2"
            )
        }
        return try WebURL(text).url(for: "COSM_BASE_URL")
    }

    private func resolvedKey() throws -> String {
        if key != nil, keyFile != nil { throw ValidationError("give --key or --key-file, not both") }
        if let key {
            // A key on the command line has precedence over the variable.
            return try CredentialText.checked(key, from: "--key")
        }
        if let keyFile {
            guard !keyFile.isEmpty else { throw ValidationError("--key-file is empty: give the path of a file") }
            guard let key = InputFile(path: keyFile).trimmedText() else {
                throw Self.fail("the key file \(keyFile) can't be read")
            }
            guard !key.isEmpty else { throw Self.fail("the key file \(keyFile) is empty") }
            return try CredentialText.checked(key, from: "the key file \(keyFile)")
        }
        guard let key = CommandContext.current.variable("COSM_API_KEY") else {
            throw ValidationError("no API key: set COSM_API_KEY, or give --key-file or --key")
        }
        return try CredentialText.checked(key, from: "COSM_API_KEY")
    }

    /// Reports a problem with a file, which is not a usage error.
    static func fail(_ reason: String) -> ExitCode {
        Console.current.note("helium: \(PrintableText.line(reason))")
        return ExitCode(1)
    }

    /// Reports an error on standard error and returns the exit code of the command: 64 for a usage error, otherwise 1.
    static func report(_ error: any Error) -> any Error {
        if error is ExitCode || error is ValidationError { return error }
        let text = error is CancellationError ? "interrupted" : String(describing: error)
        Console.current.note("helium: \(PrintableText.line(text))")
        let usage: [CosmError.Kind] = [.invalidRequest, .invalidConfiguration, .unencodable]
        return (error as? CosmError).map { usage.contains($0.kind) } == true ? ExitCode.validationFailure : ExitCode(1)
    }
}
