// The smallest program on HeliumKit: it gets one URL and prints the response. `import HeliumKit` needs neither Foundation's larger
// half nor ICU, so that this program starts with a few megabytes less. `make static` builds it into one file.
//
//     swift run SmallClient https://api.example.com /status
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import HeliumKit

@main
struct SmallClient {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let url = arguments.first.flatMap(URL.init(string:)) else { return print("usage: SmallClient URL [PATH]") }
        try await withHelium(baseURL: url) { helium in
            let response = try await helium.get(arguments.dropFirst().first ?? "/", returning: String.self)
                .acceptableStatusCodes(100..<600)
                .response()
            print("status \(response.status): \(response.value)")
        }
    }
}
