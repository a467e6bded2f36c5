import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@Suite("A client of App.net shared by many tasks", .timeLimit(.minutes(5)))
struct ClientConcurrencyTests {
    @Test("concurrent calls of one client get their own responses, and the rate limit is that of the last one")
    func shared() async throws {
        let transport = MockTransport { request in
            let id = request.path.split(separator: "/").last.map(String.init) ?? ""
            let asks = request.queryItems.contains { $0.name == "include_annotations" }
            let fields: HTTPFields = [.named("X-RateLimit-Remaining"): id]
            return answer(#"{"id":"\#(id)","name":"\#(asks)"}"#, fields: fields)
        }
        let client = try makeClient(transport)
        let asking = client.with(GeneralParameters(includesAnnotations: true))
        let found = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...400 {
                group.addTask {
                    let user = try await (number.isMultiple(of: 2) ? asking : client).users.get(AppNetUser.ID(number))
                    let isSeen = client.rateLimit?.remaining != nil
                    return isSeen && user.id == AppNetUser.ID(number) && user.name == "\(number.isMultiple(of: 2))"
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(found == 400 && transport.requests.count == 400)
        #expect((1...400).contains(client.rateLimit?.remaining ?? 0))
    }
}
