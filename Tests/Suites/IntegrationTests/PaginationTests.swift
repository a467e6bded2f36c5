import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@Suite("Pagination over sockets", .timeLimit(.minutes(5)))
struct PaginationTests {
    private func client(_ server: FaultServer, token: Secret = "t0ken-of-mine") throws -> Helium {
        try Helium(baseURL: try #require(URL(string: server.url)), authorizer: .bearer(token))
    }

    private func authorizations(_ server: FaultServer) -> Int {
        server.requests.filter { $0.lines.contains("Authorization: Bearer t0ken-of-mine") }.count
    }

    @Test("pagination over sockets follows links on one connection with authorization for each")
    func links() async throws {
        try await FaultServer.run({ request in
            switch request.number {
            case 1: [.answer(fields: ["Link: </a%2Fb/?q=%7e+x&p=2>; rel=\"next\""], body: "[1,2]")]
            case 2: [.answer(fields: ["Link: <../c>; rel=next"], body: "[]")]
            default: [.answer(body: "[3]")]
            }
        }) { server in
            var all: [Int] = []
            for try await number in try client(server).get("/items", returning: [Int].self).pages(.linkHeader())
                .elements
            {
                all.append(number)
            }
            #expect(all == [1, 2, 3])
            #expect(
                server.requests.map { $0.lines[0] } == [
                    "GET /items HTTP/1.1", "GET /a%2Fb/?q=%7e+x&p=2 HTTP/1.1", "GET /c HTTP/1.1",
                ]
            )
            #expect(server.connectionCount == 1 && authorizations(server) == 3)
        }
    }

    @Test("pagination over sockets sends nothing to another origin")
    func otherOrigin() async throws {
        try await FaultServer.run({ _ in [.answer(body: "[2]")] }) { other in
            let link = "Link: <\(other.url)/items?page=2>; rel=next"
            try await FaultServer.run({ _ in [.answer(fields: [link], body: "[1]")] }) { server in
                var iterator = try client(server).get("/items", returning: [Int].self).pages(.linkHeader())
                    .makeAsyncIterator()
                #expect(try await iterator.next()?.value == [1])
                let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
                #expect(error?.kind == .redirectRefused && error?.message.contains(other.url) == true)
                #expect(other.connectionCount == 0)
            }
        }
    }

    @Test("cancelling pagination in the middle of a page ends the transfer on the wire", arguments: [0, 1])
    func cancelling(prefetch: Int) async throws {
        try await FaultServer.run({ request in
            request.number == 1 ? [.answer(body: "[1]")] : [.answer(announcing: 100, body: "[2,"), .hang]
        }) { server in
            let client = try client(server)
            let task = Task {
                for try await _ in client.get("/items", returning: [Int].self).pages(.pageNumber(), prefetch: prefetch)
                {}
            }
            #expect(await server.wait { $0.requestCount == 2 })
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(await server.wait { $0.clientCloseCount == 1 })
        }
    }

    @Test("leaving the loop over pages ends the page that is fetched ahead")
    func leaving() async throws {
        try await FaultServer.run({ request in
            request.number == 1 ? [.answer(body: "[1]")] : [.answer(announcing: 100, body: "[2,"), .hang]
        }) { server in
            let client = try client(server)
            for try await _ in client.get("/items", returning: [Int].self).pages(.pageNumber(), prefetch: 1) {
                #expect(await server.wait { $0.requestCount == 2 })
                break
            }
            #expect(await server.wait { $0.clientCloseCount == 1 })
        }
    }

    @Test("a page that breaks off fails after the pages before")
    func breaksOff() async throws {
        try await FaultServer.run({ request in
            request.number == 1 ? [.answer(body: "[1]")] : [.answer(announcing: 100, body: "[2,"), .close]
        }) { server in
            var iterator = try client(server).get("/items", returning: [Int].self).pages(.pageNumber())
                .makeAsyncIterator()
            #expect(try await iterator.next()?.value == [1])
            let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
            #expect(error?.kind == .connectionLost || error?.kind == .malformedResponse)
            #expect(try await iterator.next() == nil)
        }
    }
}
