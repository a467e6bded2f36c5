import Foundation
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

/// The samples of tasks on the loop, run against a server.
@Suite("Samples: tasks on the loop", .timeLimit(.minutes(5)))
struct ExecutorSamples {
    private struct TVShow: Decodable, Sendable { let id: String }

    private actor Catalogue {
        private(set) var ids: [String] = []
        func add(_ show: TVShow) { ids.append(show.id) }
    }

    private func withHelium(_ run: (Helium) async throws -> Void) async throws {
        try await FaultServer.run({ _ in
            [.answer(fields: ["Content-Type: application/json"], body: #"{"id":"7"}"#)]
        }) { server in
            let helium = try Helium(baseURL: #require(URL(string: server.url)))
            try await run(helium)
            await helium.close()
        }
    }

    @Test("sample of tasks on the loop: sequential calls")
    func calls() async throws {
        let (ids, catalogue) = (["1", "2", "3"], Catalogue())
        try await withHelium { helium in
            // sample
            try await withTaskExecutorPreference(helium.executor) {
                for id in ids {
                    let show = try await helium.get("/tvshows/:id", returning: TVShow.self)
                        .pathReplacements(["id": id])
                        .value()
                    await catalogue.add(show)
                }
            }
            // end of sample
        }
        #expect(await catalogue.ids == ["7", "7", "7"])
    }

    @Test("sample of tasks on the loop: the executor of a client and of a transport")
    func preference() async throws {
        let ids = ["1", "2"]
        let refreshed = Mutex<[String]>([])
        try await withHelium { helium in
            let transport = CurlTransport()
            @Sendable func refresh(_ id: String) async { refreshed.withLock { $0.append(id) } }
            // sample
            await withTaskExecutorPreference(helium.executor) {
                for id in ids { await refresh(id) }
            }
            // end of sample
            // sample
            await withTaskExecutorPreference(transport.taskExecutor) {
                for id in ids { await refresh(id) }
            }
            // end of sample
            await transport.shutdown()
        }
        #expect(refreshed.withLock { $0 } == ["1", "2", "1", "2"])
    }
}
