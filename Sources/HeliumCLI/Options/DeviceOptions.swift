import ArgumentParser
import Foundation
import HeliumKit

/// The device and the location of its token.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The devices URL, for the registration of the device.", valueName: "url"))
    var devicesUrl: WebURL?

    @Option(
        help: ArgumentHelp(
            "The file for the device's token. Default: helium/tokens.json in $XDG_STATE_HOME or ~/.local/state.",
            valueName: "file"
        )
    )
    var tokenStore: String?

    func validate() throws { try FilePath.check(tokenStore, for: "--token-store") }

    /// Returns the devices URL; `nil` if none was given.
    ///
    /// - Throws: `ValidationError` if the URL is invalid.
    func resolvedURL() throws -> URL? { try devicesUrl?.url(for: "--devices-url") }

    /// Returns the configuration of the device that the options describe.
    func configuration(url: URL) throws -> DeviceConfiguration {
        DeviceConfiguration(
            url: url,
            info: .current(),
            store: FileTokenStore(at: try storePath())
        )
    }

    private func storePath() throws -> String {
        if let tokenStore { return CommandContext.current.path(tokenStore) }
        return try UserFolder.state.create() + "/tokens.json"
    }
}
