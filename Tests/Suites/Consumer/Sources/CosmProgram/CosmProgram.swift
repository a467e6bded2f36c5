import Cosm
import Foundation
import HeliumKit

/// A program that uses HeliumKit and Cosm alone. `Scripts/consumer-packages.sh` checks what is linked into it.
@main
struct CosmProgram {
    static func main() async throws {
        guard let url = URL(string: "https://api.example.com") else { return }
        let helium = try Helium(baseURL: url)
        let cosm = try CosmClient(apiKey: nil, baseURL: url)
        await cosm.close()
        await helium.close()
    }
}
