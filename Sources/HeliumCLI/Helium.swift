import ArgumentParser

@main
struct HeliumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "helium")
}
