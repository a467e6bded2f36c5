import Testing

@testable import HeliumCurl

@Suite("libcurl's limit of connecting")
struct ConnectLimitTests {
    @Test(
        "libcurl gets the caller's limit, a little longer, so that it leaves time for each address of a host",
        arguments: [
            (Duration.seconds(10), 10_500), (.milliseconds(1), 501), (.zero, 500), (.seconds(-5), 500),
            (.seconds(600_000), 600_000_500), (.seconds(600_001), 604_800_000), (.seconds(Int64.max), 604_800_000),
            (nil, 604_800_000),
        ] as [(Duration?, Int)]
    )
    func milliseconds(limit: Duration?, expected: Int) {
        #expect(ConnectLimit.milliseconds(limit) == expected)
    }
}
