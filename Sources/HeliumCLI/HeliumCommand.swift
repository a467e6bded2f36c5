import ArgumentParser
import HeliumKit

/// The root command: `helium SUBCOMMAND`.
@main
struct HeliumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helium",
        abstract: "Signed REST middleware from the command line: requests, devices, signatures, a local server.",
        discussion: """
            Exit codes: 0 success, 1 failure, 64 usage error, 128 plus its number after a signal. Commands that run \
            until a signal arrives end with 0.
            Secrets are never printed. Give them through the environment (HELIUM_SECRET) or a file (--secret-file) \
            rather than on the command line, where other users of the machine can read them.
            """,
        version: "helium \(HeliumVersion.current)",
        subcommands: [
            RequestCommand.self, DeviceCommand.self, SignCommand.self, DecodeCommand.self, CosmCommand.self,
            AppNetCommand.self, BeastCommand.self, ConAirCommand.self, JetstreamCommand.self, ServeCommand.self,
            DemoCommand.self, ManualCommand.self,
        ]
    )
}
