import ArgumentParser
import HeliumServer

/// The share of a server's limits that one address has.
struct ShareOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The part of each limit of connections, sessions and viewers that one address may use, more than 0 and at \
            most 1. Use 1 behind a reverse proxy, where all clients have one address.
            """,
            valueName: "part"
        )
    )
    var sharePerAddress = ServerLimits().sharePerAddress

    func validate() throws {
        guard sharePerAddress > 0, sharePerAddress <= 1 else {
            throw ValidationError("--share-per-address must be more than 0 and at most 1, for example 0.75")
        }
    }
}
