import ArgumentParser
import Foundation
import HeliumKit

/// `helium manual`: prints the manual page, for `make install`.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print the manual page in roff, for man(1).",
        shouldDisplay: false
    )

    func run() throws {
        // The library's own description of the tool, which its manual plugin reads as well.
        let description = Data(HeliumCommand._dumpHelp().utf8)
        let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
        try Console.write(Data(ManualPage(tool.command, version: HeliumVersion.current).text.utf8))
    }
}
