import AppNet
import Testing

@Suite("Module AppNet")
struct ExportsTests {
    @Test("importing AppNet also imports HeliumKit")
    func reexports() { #expect("\(HeliumError.self)" == "HeliumError") }
}
