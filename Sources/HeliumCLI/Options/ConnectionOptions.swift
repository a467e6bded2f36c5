import ArgumentParser
import Foundation
import HeliumKit

/// The options for a connection.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("PEM file of the authorities to trust, in place of the system's.", valueName: "file"))
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            """
            The longest the whole call may take, its response's body included: 500ms, 5s, 2m. Default: 60s; of a body that \
            is printed as it arrives or written to a file only until it begins.
            """,
            valueName: "time"
        )
    )
    var timeout: DurationArgument?

    @Flag(
        name: [.customShort("s"), .customLong("quiet"), .customLong("silent")],
        help:
            "Write nothing to stderr: no failure, no progress. Usage errors, -v and --timings are written all the same."
    )
    var quiet = false

    func validate() throws {
        guard let cacert else { return }
        guard FileManager.default.isReadableFile(atPath: cacert) else {
            throw ValidationError("invalid --cacert: the file \(PrintableText.line(cacert)) can't be read")
        }
    }

    /// Silences the console if `--quiet` is set. Call it before the first message.
    func apply() { if quiet { Console.silence() } }

    var connection: CurlTransport.Configuration {
        var connection = CurlTransport.Configuration()
        if let cacert { connection.certificateAuthorityFile = cacert }
        return connection
    }
}
