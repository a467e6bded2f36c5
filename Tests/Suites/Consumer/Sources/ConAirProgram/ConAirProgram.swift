import ConAir
import Foundation

/// A program that uses ConAir alone. `Scripts/consumer-packages.sh` checks what is linked into it.
@main
struct ConAirProgram {
    static func main() throws {
        guard let url = URL(string: "https://api.example.com/series") else { return }
        _ = try ConAirHTTPSource(url: url)
    }
}
