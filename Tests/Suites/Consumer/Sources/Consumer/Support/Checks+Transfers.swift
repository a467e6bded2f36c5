import Foundation
import HeliumKit
import HeliumTesting

// MARK: Failures, and answers that are more than one value

extension Checks {
    func retries() async throws {
        let transport = MockTransport(answers: [
            .empty(status: 503, fields: [.retryAfter: "0"]), .json(#"{"id": "7"}"#),
        ])
        let printer = Printer()
        try await TransferSamples(print: printer).retries(try client(transport))
        let outcomes = [AttemptRecord.Outcome.answered(status: 503), .answered(status: 200)]
        try expect(printer.output, equals: ["7 \(outcomes) true"], "what was printed")
        let keys = transport.requests.map { $0.fields[.idempotencyKey] }
        try expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1], "one key for both attempts: \(keys)")
    }

    func transfers() async throws {
        let transport = MockTransport { request in
            switch request.url.target.prefix(while: { $0 != "?" }) {
            case "/zeros": .data(Data(count: 1000))
            case "/feed":
                request.fields[.lastEventID] == nil
                    ? .data(
                        Data("retry: 100\n\nevent: price\ndata: 4.20\nid: 1\n\ndata: hello\n\n".utf8),
                        fields: [.contentType: "text/event-stream"]
                    ) : .empty()
            default:
                request.url.target.contains("page=2")
                    ? .json(#"[{"_id": "8", "name": "Milk"}]"#)
                    : .json(#"[{"_id": "7", "name": "Tea"}]"#, fields: [.link: #"</todo?page=2>; rel="next""#])
            }
        }
        let printer = Printer()
        let samples = TransferSamples(print: printer)
        let helium = try client(transport)
        let target = folder.appending(path: "zeros")
        try await samples.download(helium, to: target)
        try expect(printer.output.last, equals: "1000", "the bytes of the file")
        try expect(try Data(contentsOf: target).count, equals: 1000, "the file")
        try await samples.events(helium)
        try await samples.pages(helium)
        try expect(Array(printer.output.suffix(3)), equals: ["4.20", "Tea", "Milk"], "what was printed")
    }

    private func client(_ transport: MockTransport) throws -> Helium {
        guard let url = URL(string: "https://api.example.com") else { throw Failure("this is a URL") }
        return try Helium(baseURL: url, environment: ClientEnvironment(transport: transport))
    }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = name("Idempotency-Key")
    fileprivate static let lastEventID = name("Last-Event-ID")
    fileprivate static let link = name("Link")

    private static func name(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("\(text) is a field name") }
        return name
    }
}
