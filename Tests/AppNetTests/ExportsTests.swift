import AppNet
import Testing

@Suite("The module")
struct ExportsTests {
    @Test("brings HeliumKit along")
    func reexports() { #expect("\(HeliumError.self)" == "HeliumError") }
}
