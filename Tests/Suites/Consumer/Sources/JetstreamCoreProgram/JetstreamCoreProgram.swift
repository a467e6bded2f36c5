import Foundation
import JetstreamCore

/// A program that uses JetstreamCore alone. `Scripts/consumer-packages.sh` checks what is linked into it.
@main
struct JetstreamCoreProgram {
    static func main() async throws {
        guard let url = URL(string: "wss://api.example.com/jetstream") else { return }
        let client = try JetstreamClient(url: url)
        await client.close()
    }
}
