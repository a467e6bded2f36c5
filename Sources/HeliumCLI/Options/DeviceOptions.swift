import ArgumentParser
import Foundation
import HeliumKit

/// Which device to be, and where its token is kept.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The devices URL, where the device registers.", valueName: "url"))
    var devicesUrl: WebURL?

    @Option(
        help: ArgumentHelp(
            "Where the device's token is kept. Default: helium/tokens.json in $XDG_STATE_HOME or ~/.local/state.",
            valueName: "file"
        )
    )
    var tokenStore: String?

    /// The devices URL; `nil` if none was given.
    ///
    /// - Throws: `ValidationError`.
    func resolvedURL() throws -> URL? { try devicesUrl?.url(for: "--devices-url") }

    /// The device that the options describe.
    func configuration(url: URL) throws -> DeviceConfiguration {
        DeviceConfiguration(
            url: url,
            info: .current(),
            store: FileTokenStore(at: try storePath())
        )
    }

    private func storePath() throws -> String {
        if let tokenStore { return tokenStore }
        return try UserFolder.state.create() + "/tokens.json"
    }
}
