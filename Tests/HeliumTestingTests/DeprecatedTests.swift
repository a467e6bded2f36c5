import HTTPTypes
import HeliumCore
import HeliumTesting
import Testing

/// The tests are deprecated too, so that the forms they use warn of nothing.
@Suite("Deprecated forms of HeliumTesting")
struct DeprecatedTests {
    @available(*, deprecated)
    @Test("a deprecated header of a mock is a field")
    func header() async throws {
        let transport = MockTransport()
        transport.on(.get, "/", .header(.accept, "a/b")) { _ in .empty() }
        var request = try TransportRequest(to: "https://api.example.com/")
        request.fields = [.accept: "a/b"]
        #expect(try await transport.execute(request).head.status == 204)
    }

    @available(*, deprecated)
    @Test("deprecated conditions without a label work")
    func values() async throws {
        let transport = MockTransport()
        transport.on(.post, "/", .json(["name": "Tea"])) { _ in .json("1") }
        transport.on(.post, "/", .jsonMembers(["name": "Milk"])) { _ in .json("2") }
        for (body, answer) in [(#"{"name":"Tea"}"#, "1"), (#"{"name":"Milk","n":1}"#, "2")] {
            let request = try TransportRequest(.post, to: "https://api.example.com/", body: body)
            #expect(try await transport.execute(request).text == answer)
        }
    }

    @available(*, deprecated)
    @Test("a deprecated gate stays open")
    func gate() {
        let gate = MockTransport.Gate()
        gate.openForGood()
        #expect(!gate.isAbandoned)
    }
}
