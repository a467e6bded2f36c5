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
        let tool = try ToolDescription.current()
        try Console.current.writeUnescaped(Data(ManualPage(tool.command, version: HeliumVersion.current).text.utf8))
    }
}
