import Foundation

/// `make http`: holds the HTTP engines against nginx, Go, Node and libcurl. Scripts/http.sh starts the servers.
@main
enum HTTPRunner {
    static func main() async throws {
        let options: Options
        do {
            options = try Options(CommandLine.arguments.dropFirst())
        } catch {
            say("error: \(error)\n\(Options.usage)")
            exit(2)
        }
        let hasPassed =
            switch options.part {
            case "responses": try ResponsesPart(options: options).run()
            case "idle": try await IdlePart(options: options).run()
            case "restarts": try await RestartPart(options: options).run()
            case "soak": try await SoakPart(options: options).run()
            case "requests": await RequestsPart(options: options).run()
            default: false
            }
        exit(hasPassed ? 0 : 1)
    }
}
