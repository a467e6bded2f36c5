import Testing

@Suite("Usage of the tool", .timeLimit(.minutes(2)))
struct UsageTests {
    @Test(
        "a wrong command line exits with 64 and the reason on stderr",
        arguments: [
            ["nonsense"], ["request"], ["request", "GET"], ["request", "GET", "/x"],
            ["request", "GET", "/x", "--base-url", "not a url"], ["request", "G ET", "/x", "--base-url", "http://h"],
            ["request", "GET", "/x", "--base-url", "http://h", "--timeout", "soon"],
            ["request", "GET", "/x", "--base-url", "http://h", "--param", "novalue"],
            ["request", "GET", "/x", "--base-url", "http://h", "--secret", "s"],
            ["request", "POST", "/x", "--base-url", "http://h", "--json", "{name:1}"],
            ["request", "GET", "/x/:id", "--base-url", "http://h"],
            ["request", "GET", "/x", "--base-url", "http://h", "--replace", "id=1"],
            ["request", "GET", "/x", "--base-url", "http://h", "--header", "Host:evil"],
            ["request", "PUT", "/x", "--base-url", "http://h", "--form", "novalue"],
            ["request", "PUT", "/x", "--base-url", "http://h", "--multipart", "a=@"],
            ["request", "PUT", "/x", "--base-url", "http://h", "--multipart", "a=@/etc/hostname;type="],
            ["request", "PUT", "/x", "--base-url", "http://h", "--multipart", "a=@-"],
            ["request", "GET", "/x", "--base-url", "http://h", "--cacert", "-"],
            ["request", "GET", "/x", "--base-url", "http://h", "--token-store", "-"],
            ["serve", "--store", "-"], ["jetstream", "serve", "--scope", "s.json", "--store", "-"],
            ["conair", "fetch", "--source", "http://h/", "--cache", "-"],
            ["request", "GET", "/x", "--base-url", "http://h", "--retry", "0"],
            ["request", "GET", "/x", "--base-url", "http://h", "--retry", "101"],
            ["request", "GET", "/x", "--base-url", "http://h", "--retry", "often"],
            ["request", "GET", "/x", "--base-url", "http://h", "--resume"],
            ["request", "GET", "/x", "--base-url", "http://h", "--output", ""],
            ["request", "GET", "/x", "--base-url", "http://h", "--output", "/"],
            ["request", "GET", "/x", "--base-url", "http://h", "--show-secrets"],
            ["request", "GET", "/x/:id", "--base-url", "http://h", "--curl"],
            ["sign"], ["sign", "--device-id", "d", "--secret", "s", "--secret-id", "i", "--url", "nowhere"],
            ["sign", "--device-id", "d", "--secret-id", "i", "--url", "http://h"],
            ["sign", "--device-id", "d", "--secret", "s", "--secret-id", "i", "--url", "http://h", "--timestamp", "x"],
            ["serve", "--port", "99999"], ["serve", "--cosm-tcp-port", "-1"], ["serve", "--tls-cert", "x"],
            ["serve", "--secret", "short"], ["serve", "--share-per-address", "0"],
            ["jetstream", "serve", "--scope", "x", "--share-per-address", "1.5"],
            ["conair", "serve", "--source", "http://h/", "--share-per-address", "nan"],
            ["request", "GET", "http://h/x", "--base-url", "http://h"],
            ["request", "GET", "/x", "--base-url", "http://h", "--form", "a=@b"],
            ["request", "GET", "/x", "--base-url", "http://h", "--max-filesize", "much"],
            ["cosm", "feeds", "--key", "k"], ["appnet", "channels", "--token", "t"],
            ["cosm", "watch", "1", "--key", "k", "--base-url", "http://h"],
            ["conair", "fetch"], ["conair", "fetch", "--source", "nowhere"],
            ["conair", "fetch", "--source", "cosm:x/y"],
            ["conair", "fetch", "--source", "http://h/", "--step", "5m"],
            ["conair", "fetch", "--source", "http://h/", "--zone", "Mars"],
            ["conair", "fetch", "--source", "http://h/", "--start", "yesterday"],
            ["conair", "fetch", "--source", "http://h/", "--start", "2001-01-01T00:00:00Z", "--step", "1"],
            ["conair", "fetch", "--source", "http://h/", "--start", "2999-01-01T00:00:00Z"],
            ["conair", "fetch", "--source", "http://user:password@h/"],
            ["conair", "fetch", "--source", "cosm:1/temp"],
            [
                "conair", "fetch", "--source", "http://h/", "--start", "2012-12-11T20:00:00Z", "--stop",
                "2012-12-11T20:00:00Z",
            ],
            ["conair", "plot", "--source", "http://h/"], ["conair", "plot", "", "--source", "http://h/"],
            ["conair", "plot", "-", "--source", "http://h/", "--width", "239"],
            ["conair", "plot", "-", "--source", "http://h/", "--width", "4001"],
            ["conair", "plot", "-", "--source", "http://h/", "--width", "wide"],
            ["cosm", "plot", "1", "temp", "--key", "k", "--base-url", "http://h", "--width", "360"],
            ["conair", "poll", "--source", "http://h/", "--count", "0"],
            ["conair", "watch", "--source", "http://h/", "--stop", "2012-12-11T20:00:00Z"],
            ["cosm", "plot", "1", "temp", "--key", "k", "--base-url", "http://h", "--horizon"],
            ["device", "register"], ["device", "fly"],
            ["appnet", "nonsense"], ["appnet", "messages"], ["appnet", "messages", "a/b", "--token", "t"],
            ["appnet", "messages", "1", "--token", "t", "--limit", "-1"], ["appnet", "send", "1", "--token", "t"],
            ["appnet", "send", "1", "x", "--token", "t", "--annotation", "{}"],
            ["appnet", "send", "1", "x", "--token", "t", "--annotation", "no JSON"],
            ["appnet", "channel", "create", "--token", "t"],
            ["appnet", "channel", "create", "--token", "t", "--type", "com.example.x", "--public", "--reader", "@bob"],
            ["appnet", "user", "a b", "--token", "t"],
            ["appnet", "search", "x", "--token", "t", "--in", "stars"],
            ["appnet", "search", "x", "--token", "t", "--in", "users", "--channel", "1"],
            ["appnet", "channels", "--token", "t", "--dialect", "other"],
            ["appnet", "channels", "--token", "t", "--base-url", "not a url"],
            ["appnet", "stream", "--token", "t", "--base-url", "http://h/"],
            ["appnet", "stream", "--token", "t", "--stream-url", "ftp://h/"],
            ["appnet", "login", "--web", "--password"], ["appnet", "login", "--password"],
            ["appnet", "login", "--client-id", "c"],
        ]
    )
    func wrong(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(!outcome.stderr.isEmpty && outcome.stdout.isEmpty)
    }

    @Test(
        "a file that cannot be read is a failure with status 1, whichever option names it",
        arguments: [
            ["request", "GET", "/x", "--base-url", "http://h", "--json", "@/nonexistent/file"],
            ["request", "PUT", "/x", "--base-url", "http://h", "--upload", "/nonexistent/file"],
            ["request", "PUT", "/x", "--base-url", "http://h", "--upload", "/"],
            ["request", "PUT", "/x", "--base-url", "http://h", "--multipart", "a=@/nonexistent/file"],
            ["request", "GET", "https://h/", "--cacert", "/nonexistent/file"],
            [
                "request", "GET", "http://h/", "--devices-url", "http://h/d", "--secret-id",
                "91205b43c5144068ee9979b093925f77", "--secret-file", "/nonexistent/file",
            ],
            [
                "sign", "--device-id", "d", "--secret-id", "i", "--url", "http://h", "--secret-file",
                "/nonexistent/file",
            ],
            ["decode", "json", "/nonexistent/file"], ["decode", "cosm.feed", "/nonexistent/file"],
            ["cosm", "feeds", "--base-url", "http://h", "--key-file", "/nonexistent/file"],
            ["cosm", "create", "--base-url", "http://h", "--key", "k", "--file", "/nonexistent/file.json"],
            ["cosm", "feeds", "--base-url", "https://h", "--key", "k", "--cacert", "/nonexistent/file"],
            ["appnet", "send", "1", "x", "--token", "t", "--attach", "/nonexistent/file"],
            ["appnet", "files", "upload", "/", "--token", "t"],
            ["beast", "import", "/nonexistent/file", "--db", "/nonexistent/db"],
            ["jetstream", "serve", "--scope", "/nonexistent/file"],
            ["jetstream", "watch", "wss://h", "Board", "--cacert", "/nonexistent/file"],
        ]
    )
    func unreadable(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.status == 1 && outcome.stdout.isEmpty, "\(outcome)")
        #expect(outcome.stderr.hasPrefix("helium: ") && !outcome.stderr.contains("Usage"), "\(outcome)")
    }

    @Test(
        "two bodies are a usage error that names both options",
        arguments: [
            (["--json", "{}", "--upload", "f"], ["--json", "--upload"]),
            (["--upload", "f", "--form", "a=b"], ["--upload", "--form"]),
            (["--form", "a=b", "--json", "{}"], ["--json", "--form"]),
            (["--form", "a=b", "--multipart", "a=b"], ["--form", "--multipart"]),
        ]
    )
    func twoBodies(options: [String], named: [String]) async throws {
        let outcome = try await Tool.run(["request", "POST", "/x", "--base-url", "http://h"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.stderr.contains("give \(named[0]) or \(named[1]), not both"), "\(outcome)")
    }

    @Test(
        "a text that begins with a hyphen is a usage error, not a request for help",
        arguments: [
            ["beast", "send", "-hello", "--db", "/nonexistent"], ["appnet", "send", "1", "-hello"],
            ["appnet", "send", "1", "-oh"], ["beast", "drafts", "create", "-hello"], ["request", "GET", "-xh"],
            ["cosm", "push", "1", "-h20"], ["-help"],
        ]
    )
    func hyphens(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.status == 64 && outcome.stdout.isEmpty, "\(outcome)")
        #expect(outcome.stderr.contains("after --, or a value as --option=-value"), "\(outcome)")
    }

    @Test("a value that begins with a hyphen, after an option for a secret, is not quoted")
    func hiddenSecret() async throws {
        let outcome = try await Tool.run(["request", "GET", "http://h/", "--bearer", "-hunter2"])
        #expect(outcome.status == 64 && !outcome.stderr.contains("hunter2"), "\(outcome)")
    }

    @Test(
        "help is printed on stdout with status 0",
        arguments: [
            ["--help"], ["request", "--help"], ["request", "-h"], ["device", "--help"], [], ["appnet"],
            ["appnet", "--help"],
            ["appnet", "login", "--help"], ["appnet", "channels", "--help"], ["appnet", "channel", "create", "--help"],
            ["appnet", "messages", "--help"], ["appnet", "send", "--help"], ["appnet", "read", "--help"],
            ["appnet", "delete", "--help"], ["appnet", "files", "upload", "--help"],
            ["appnet", "files", "get", "--help"],
            ["appnet", "search", "--help"], ["appnet", "stream", "--help"], ["appnet", "user", "--help"],
            ["conair"], ["conair", "plot", "--help"], ["cosm", "plot", "--help"],
        ]
    )
    func help(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.stdout.contains("USAGE"))
    }
}
