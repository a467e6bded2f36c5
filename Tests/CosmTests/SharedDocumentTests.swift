import TestSupport
import Testing

@Suite("The shared documents")
struct SharedDocumentTests {
    @Test(
        "are found where the machine has them",
        .enabled(if: !SharedDocuments.data("cosm/json").isEmpty, "no ../shared and no HELIUM_SHARED")
    )
    func found() {
        #expect(SharedDocuments.data("cosm/xml").contains { $0.name == "feed-full.xml" })
    }
}
