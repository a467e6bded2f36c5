import TestSupport
import Testing

/// Every Swift block of the documentation is a sample that some test compiles.
@Suite("Documentation samples", .timeLimit(.minutes(1)))
struct DocumentationTests {
    @Test("every block is compiled as it is shown, and every compiled sample is shown")
    func samples() throws {
        #expect(try DocumentationSamples.problems() == [])
        let counts = try DocumentationSamples.counts()
        #expect(counts.blocks > 100 && counts.exempt <= 6, "\(counts)")
    }
}
