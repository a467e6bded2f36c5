import HeliumServerKit
import Testing

@Suite("The server's clock")
struct ServerClockTests {
    @Test(
        "any time that a closure returns counts as one of the years 1 to 9999",
        arguments: [
            (.min, -62_135_596_800_000), (.max, 253_402_300_799_999), (0, 0), (1_700_000_000_123, 1_700_000_000_123),
        ] as [(Int64, Int64)]
    )
    func range(time: Int64, milliseconds: Int64) {
        #expect(ServerClock { time }.milliseconds() == milliseconds)
        #expect(ServerClock.fixed(milliseconds: time).milliseconds() == milliseconds)
    }

    @Test(
        "microseconds are rounded down to milliseconds",
        arguments: [(-1, -1), (999, 0), (-1000, -1)] as [(Int64, Int64)]
    )
    func rounding(time: Int64, milliseconds: Int64) {
        let clock = ServerClock.microseconds { time }
        #expect(clock.milliseconds() == milliseconds && clock.microseconds() == time)
    }
}
