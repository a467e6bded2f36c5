import HeliumConcurrency
import Testing

@testable import JetstreamCore

@Suite("Extreme values of the options of Jetstream's client", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    @Test(
        "durations that are added to times are limited to a century",
        arguments: [
            Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min), .zero,
        ]
    )
    func durations(duration: Duration) {
        var options = JetstreamClientOptions()
        options.watchdog = duration
        options.replyLimit = duration
        let settings = options.settings
        #expect(settings.watchdog == duration.withinCentury && settings.replyLimit == duration.withinCentury)
        #expect(Scope(name: "a", changeInterval: duration).changeInterval == duration.withinCentury)
    }
}
