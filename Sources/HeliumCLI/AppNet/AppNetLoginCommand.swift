import AppNet
import ArgumentParser
import Foundation

/// The `helium appnet login` command.
struct AppNetLoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in and store the token for the other commands.",
        discussion: """
            --web prints a URL to open in a browser, and waits for the redirect of the browser to this machine. \
            --password asks for the password, or reads it from the first line of standard input. The token is stored \
            in helium/appnet-tokens.json in $XDG_CONFIG_HOME or ~/.config, with access for you only. There is one \
            login for each server.
            """
    )

    @OptionGroup var service: AppNetServiceOptions

    @Flag(help: "Sign in with a browser. The default.")
    var web = false

    @Flag(help: "Sign in with name and password.")
    var password = false

    @Option(help: "The user's name, for --password.")
    var username: String?

    @Option(help: ArgumentHelp("The client id of the app. Default: the variable APPNET_CLIENT_ID.", valueName: "id"))
    var clientId: String?

    @Option(
        help: ArgumentHelp(
            "The app's secret; for --password, its secret for password logins. Better: the variable APPNET_CLIENT_SECRET.",
            valueName: "secret"
        )
    )
    var clientSecret: String?

    @Option(
        name: .customLong("scope"),
        help: "A scope of the token. Repeatable. Default: all scopes that the tool uses."
    )
    var scopes: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The base URL of the service's authenticate and access_token. Default: the variable APPNET_OAUTH_URL, \
            otherwise /oauth/ on the host of --base-url, or the public service for pnut.
            """,
            valueName: "url"
        )
    )
    var oauthUrl: WebURL?

    @Option(help: "The port of this machine for the browser's redirect. Default: a free port.")
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The maximum time to wait for the browser. --timeout also applies if it is given. Default: 5m.",
            valueName: "time"
        )
    )
    var wait: DurationArgument?

    func validate() throws {
        if web, password { throw ValidationError("give --web or --password, not both") }
        _ = try oauthUrl?.url(for: "--oauth-url")
        if password, username?.isEmpty != false { throw ValidationError("--password needs --username") }
    }

    func run() async throws {
        try service.connection.apply()
        let baseURL = try service.resolvedBaseURL()
        guard let clientID = clientId ?? CommandContext.current.variable("APPNET_CLIENT_ID") else {
            throw ValidationError("no client id: set APPNET_CLIENT_ID, or give --client-id")
        }
        let oauth = try oauthAddress()
        let secret = try boundSecret(for: oauth).releasedToAll()
        do {
            let authenticator = try AppNetAuthenticator(
                clientID: clientID,
                clientSecret: secret,
                dialect: service.dialect,
                tokenBaseURL: oauth?.url,
                baseURL: baseURL,
                options: service.clientOptions,
                connection: service.connection.connection,
                environment: CommandContext.current.client
            )
            // Checked before signing in: a token that cannot be stored would remain valid at the service without a user
            // for it.
            let store = try LoginStore(creatingFor: baseURL)
            try await store.check()
            let grant = try await signIn(authenticator, secret: secret, oauth?.url)
            await authenticator.close()
            try await store.save(grant.accessToken)
            try Console.current.print("signed in as \(grant.username ?? grant.userID?.text ?? "an unknown user")")
        } catch {
            throw AppNetOptions.report(error)
        }
    }

    private func signIn(
        _ authenticator: AppNetAuthenticator,
        secret: Secret,
        _ oauthURL: URL?
    ) async throws -> AccessGrant {
        if password {
            return try await authenticator.signIn(
                username: username ?? "",
                password: try await PasswordPrompt.read(),
                passwordGrantSecret: secret,
                scopes: wantedScopes
            )
        }
        return try await TimeLimit.cancelling(after: service.connection.timeout?.duration) {
            try await signInByBrowser(authenticator, oauthURL)
        }
    }

    private func signInByBrowser(
        _ authenticator: AppNetAuthenticator,
        _ oauthURL: URL?
    ) async throws -> AccessGrant {
        let listener = try RedirectListener(port: port)
        defer { listener.close() }
        let signIn = try WebSignIn(
            clientID: authenticator.clientID,
            redirectURI: "http://127.0.0.1:\(listener.port)/signed-in",
            scopes: wantedScopes,
            state: UUID().uuidString,
            dialect: service.dialect,
            signInBaseURL: oauthURL
        )
        try Console.current.print(OutputText(line: signIn.url().absoluteString))
        Console.current.note("helium: open this URL in a browser; waiting for its redirect")
        let answer = try await listener.answer(to: signIn, within: wait?.duration ?? .seconds(300))
        return try await authenticator.exchange(code: answer, redirectURI: signIn.redirectURI)
    }

    /// Returns the address of the sign-in; `nil` for the dialect's own.
    private func oauthAddress() throws -> ServiceAddresses.Address? {
        if let url = try oauthUrl?.url(for: "--oauth-url") {
            return ServiceAddresses.Address(url: url, source: "--oauth-url", isOption: true)
        }
        let variable = AppNetAddressVariable.oauth
        if let url = try variable.validURL() {
            return ServiceAddresses.Address(url: url, source: variable.name, isOption: false)
        }
        // On the origin of the base URL.
        return try service.sibling("/oauth/").map {
            ServiceAddresses.Address(url: $0, source: "--base-url", isOption: false)
        }
    }

    private func boundSecret(for oauth: ServiceAddresses.Address?) throws -> BoundSecret {
        let addresses = try service.addresses(oauth)
        if let clientSecret {
            return try BoundSecret(Secret(clientSecret), from: .command("--client-secret"), for: addresses)
        }
        guard let secret = CommandContext.current.variable("APPNET_CLIENT_SECRET") else {
            throw ValidationError("no client secret: set APPNET_CLIENT_SECRET, or give --client-secret")
        }
        return try BoundSecret(Secret(secret), from: .variable("APPNET_CLIENT_SECRET"), for: addresses)
    }

    private var wantedScopes: [AuthScope] {
        if !scopes.isEmpty { return scopes.map { AuthScope(rawValue: $0) } }
        return [.basic, .stream, .writePost, .follow, .messages, .updateProfile, .files]
    }
}

/// Reads a password from a terminal without echo, or from the first line of standard input.
enum PasswordPrompt {
    /// The maximum length of a line in bytes.
    private static let maximumLength = 1 << 16

    /// - Throws: `ValidationError` if there is no password.
    static func read() async throws -> Secret {
        let input = CommandContext.current.input
        let line = isatty(input.fileDescriptor) == 1 ? try await unseenLine(of: input) : try await nextLine()
        guard let line, !line.isEmpty else { throw ValidationError("no password on standard input") }
        // Decoding with replacement characters would change the password.
        guard let password = String(validating: line, as: UTF8.self) else {
            throw ValidationError("the password on standard input is not valid UTF-8")
        }
        let secret = Secret(password)
        Console.current.secrets.add(secret)
        return secret
    }

    /// Reads a line from the terminal without echo. Echo is restored afterwards, also when a signal ends the process.
    private static func unseenLine(of terminal: FileHandle) async throws -> Data? {
        var settings = termios()
        tcgetattr(terminal.fileDescriptor, &settings)
        let former = settings
        let signals = TerminationSignals(of: TerminationSignals.standard + [SIGQUIT]) { number in
            restore(former, of: terminal)
            CommandContext.current.process.terminate(by: number)
        }
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal.fileDescriptor, TCSAFLUSH, &settings)
        // Text that is typed from here on is not echoed.
        Console.current.writeError("Password: ")
        defer {
            restore(former, of: terminal)
            signals.stop()
        }
        return try await nextLine()
    }

    /// Returns the next line of standard input without its end; `nil` if there is none. A line that cannot be read to its end is
    /// an error.
    private static func nextLine() async throws -> Data? {
        let input = StandardInput()
        var bytes = Data()
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes[..<end]
                return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            }
            guard bytes.count <= maximumLength else { throw CommandFailure("the password has no end") }
            switch try await input.next() {
            case .bytes(let chunk): bytes += chunk
            case .end: return bytes.isEmpty ? nil : bytes
            case .stopped: throw CancellationError()
            }
        }
    }

    private static func restore(_ settings: termios, of terminal: FileHandle) {
        var settings = settings
        tcsetattr(terminal.fileDescriptor, TCSAFLUSH, &settings)
        Console.current.note("")
    }
}
