import TestSupport
import Testing

@Suite("Ports for servers that start again")
struct LastingPortTests {
    @Test(
        "the ports are none that the system chooses",
        arguments: [
            (32_768...60_999, 10_000..<30_000), (49_152...65_535, 10_000..<30_000), (15_000...65_535, 10_000..<15_000),
            (1_024...60_999, 61_000..<65_536), (10_500...65_535, 1_024..<10_500), (1_024...65_535, 10_000..<30_000),
        ]
    )
    func range(system: ClosedRange<Int>, ports: Range<Int>) {
        #expect(LastingPort.range(outside: system) == ports)
    }

    @Test("each port is another one")
    func next() throws {
        let ports = try (0..<20).map { _ in try LastingPort.next() }
        #expect(Set(ports).count == ports.count)
    }
}
