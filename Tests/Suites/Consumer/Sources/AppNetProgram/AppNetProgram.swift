import AppNet

/// A program that uses AppNet alone. `Scripts/consumer-packages.sh` checks what is linked into it.
@main
struct AppNetProgram {
    static func main() async throws {
        let client = try AppNetClient(configuration: AppNetConfiguration())
        await client.close()
    }
}
