import ArgumentParser
import Foundation
import HeliumKit

/// The `helium manual` command: prints the manual page for `make install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print the manual page in roff, for man(1).",
        shouldDisplay: false
    )

    func run() throws {
        // The description of the tool by the argument library, which its manual plugin uses too.
        let description = Data(HeliumCommand._dumpHelp().utf8)
        let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
        try Console.current.write(Data(ManualPage(tool.command, version: HeliumVersion.current).text.utf8))
    }
}
