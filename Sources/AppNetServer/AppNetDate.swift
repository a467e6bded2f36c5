internal import HeliumServerKit

/// Points in time as App.net writes them: UTC, whole seconds (§1.4).
enum AppNetDate {
    /// `2012-12-31T13:22:55Z`. Years beyond 1 to 9999 become the nearest of these.
    static func text(_ seconds: Int64) -> String {
        // Without the six digits of fraction.
        let text = ServerInstant(microseconds: 0).adding(seconds: seconds).text()
        return text.prefix(19) + "Z"
    }

    /// Seconds since 1970; nil for what is no date. Zones and fractions are accepted, as clients send them.
    static func seconds(_ text: String) -> Int64? {
        ServerInstant(text).map { $0.microseconds / ServerInstant.perSecond }
    }
}
