import Foundation
import HeliumKit

/// Samples of the handling of failures, and of responses with more than one value.
struct TransferSamples {
    let print: Printer

    func retries(_ helium: Helium) async throws {
        // README sample: retries
        let response = try await helium.post("/orders", body: Draft(name: "Tea"), returning: Created.self)
            .idempotencyKey()  // the same on each attempt: now the server can tell a repetition
            .retry(.attempts(5))
            .response()
        print(response.value.id, response.attempts.map(\.outcome), response.idempotencyKey != nil)
        // README sample end
    }

    func download(_ helium: Helium, to video: URL) async throws {
        // README sample: download
        var options = DownloadOptions()
        options.resume = .ifPossible  // goes on where an earlier run broke off
        options.maximumBytes = 10 << 30
        options.progress = { progress in print("\(progress.completed) of \(progress.total ?? 0) bytes") }
        let download = try await helium.get("/videos/:id/file").pathReplacements(["id": 42])
            .download(to: video, options: options)
        print(download.bytes)
        // README sample end
    }

    func events(_ helium: Helium) async throws {
        // README sample: events
        let events = helium.get("/prices", returning: Data.self).serverSentEvents()
        for try await event in events where event.type == "price" {
            print(event.data)
        }
        // README sample end
    }

    func pages(_ helium: Helium) async throws {
        // README sample: pages
        for try await todo in helium.get("/todo", returning: [Todo].self).pages(.linkHeader()).elements {
            print(todo.name)
        }
        // README sample end
    }
}
