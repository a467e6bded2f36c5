import Foundation
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

/// The samples of the article "Pages", run.
@Suite("Samples: pages", .timeLimit(.minutes(5)))
struct PaginationSamples {
    private struct Todo: Decodable, Sendable { let name: String }

    private struct TodoPage: Decodable, Sendable {
        let items: [Todo]
        let next: String?
    }

    private func withHelium(
        _ actions: @escaping @Sendable (FaultServer.ReceivedRequest) -> FaultServer.Action,
        _ run: (Helium) async throws -> Void
    ) async throws {
        try await FaultServer.run({ [actions($0)] }) { server in
            try await HeliumKit.withHelium(baseURL: try #require(URL(string: server.url)), run)
        }
    }

    @Test("sample of pagination: pages and elements")
    func pages() async throws {
        try await withHelium({ request in
            request.lines[0].contains("page=2")
                ? .answer(body: #"[{"name":"b"}]"#)
                : .answer(fields: ["Link: <?page=2>; rel=\"next\""], body: #"[{"name":"a"}]"#)
        }) { helium in
            let print = Printer()
            // sample
            for try await page in helium.get("/todos", returning: [Todo].self).pages(.linkHeader()) {
                print(page.value.count, page.status)
            }
            // end of sample
            // sample
            for try await todo in helium.get("/todos", returning: [Todo].self).pages(.linkHeader()).elements {
                print(todo.name)
            }
            // end of sample
            #expect(print.output == ["1 200", "1 200", "a", "b"])
        }
    }

    @Test("sample of pagination: elements on the main actor")
    @MainActor
    func mainActor() async throws {
        try await FaultServer.run({ _ in [.answer(body: #"[{"name":"a"}]"#)] }) { server in
            let helium = try Helium(baseURL: try #require(URL(string: server.url)))
            var names: [String] = []
            for try await todo in helium.get("/todos", returning: [Todo].self).pages(.linkHeader()).elements {
                MainActor.assertIsolated()
                names.append(todo.name)
            }
            #expect(names == ["a"])
        }
    }

    @Test("sample of pagination: elements inside of a page's value")
    func elements() async throws {
        try await withHelium({ request in
            request.lines[0].contains("after=x")
                ? .answer(body: #"{"items":[{"name":"b"}]}"#)
                : .answer(body: #"{"items":[{"name":"a"}],"next":"x"}"#)
        }) { helium in
            // sample
            let todos = helium.get("/todos", returning: TodoPage.self)
                .pages(.cursor(parameter: "after", from: { $0.value.next }))
                .elements(of: \.items)
            // end of sample
            var names: [String] = []
            for try await todo in todos { names.append(todo.name) }
            #expect(names == ["a", "b"])
        }
    }
}
