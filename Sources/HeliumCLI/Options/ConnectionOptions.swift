import ArgumentParser
import HeliumKit

/// How to connect.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("PEM file of the authorities to trust, in place of the system's.", valueName: "file"))
    var cacert: String?

    @Option(help: ArgumentHelp("The longest the whole call may take: 500ms, 5s, 2m. Default: 60s.", valueName: "time"))
    var timeout: DurationArgument?

    var connection: CurlTransport.Configuration {
        var connection = CurlTransport.Configuration()
        if let cacert { connection.certificateAuthorityFile = cacert }
        return connection
    }
}
