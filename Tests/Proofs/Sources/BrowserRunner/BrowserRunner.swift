import Foundation
import HeliumKit

/// `make test-browser`: shows ConAir's page in Chromium, and checks what a reader would see.
///
/// `BROWSER_DRIVER` is the URL of chromedriver, which Scripts/browser.sh starts and ends. `BROWSER_PICTURES` is the folder of
/// the screenshots. `BROWSER_ONLY` runs only the checks whose names contain it.
@main
enum BrowserRunner {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard let driver = environment["BROWSER_DRIVER"].flatMap(URL.init(string:)),
            let pictures = environment["BROWSER_PICTURES"]
        else {
            say("browser: error: BROWSER_DRIVER and BROWSER_PICTURES are not set; run: make test-browser")
            exit(2)
        }
        let text = environment["BROWSER_ONLY"] ?? ""
        let checks = BrowserCheck.all.filter { text.isEmpty || $0.name.contains(text) }
        let helium = try Helium(baseURL: driver, options: Browser.clientOptions)
        let place = BrowserPlace(helium: helium, pictures: URL(fileURLWithPath: pictures, isDirectory: true))
        var failures = 0
        for check in checks {
            let start = ContinuousClock.now
            var outcome = "passed"
            do {
                try await check.run(place)
            } catch {
                failures += 1
                outcome = "FAILED: \(error)"
            }
            let seconds = ((ContinuousClock.now - start) / .milliseconds(100)).rounded() / 10
            say("\(check.name.padding(toLength: 60, withPad: " ", startingAt: 0)) \(seconds) s  \(outcome)")
        }
        await helium.close()
        say("browser: \(checks.count) checks, \(failures) failed")
        exit(failures == 0 && !checks.isEmpty ? 0 : 1)
    }

    /// Prints a line at once, also where the output is a file.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
