import ArgumentParser
import Foundation
import HeliumKit

/// The options for a connection.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PEM file with the trusted certificate authorities, instead of the system's.",
            valueName: "file"
        )
    )
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            """
            The time limit for the whole call, including the response's body: 500ms, 5s, 2m. Default: 60s; if the body \
            is printed as it arrives or is written to a file, only until the body begins.
            """,
            valueName: "time"
        )
    )
    var timeout: DurationArgument?

    @Flag(
        name: [.customShort("s"), .customLong("quiet"), .customLong("silent")],
        help:
            "Write no failures and no progress to stderr. Usage errors, -v and --timings are still written."
    )
    var quiet = false

    /// Silences the console if `--quiet` is set, also for commands that fail before they connect.
    func validate() throws {
        if quiet { Console.current.silence() }
        try FilePath.check(cacert, for: "--cacert")
    }

    /// Checks the file of `--cacert`. Call it before the first message.
    ///
    /// - Throws: `CommandFailure` if the file cannot be read.
    func apply() throws {
        if let cacert { try InputFile(path: cacert).check(for: "--cacert") }
    }

    var connection: CurlTransport.Configuration {
        var connection = CurlTransport.Configuration()
        if let cacert { connection.certificateAuthorityFile = CommandContext.current.path(cacert) }
        return connection
    }
}
