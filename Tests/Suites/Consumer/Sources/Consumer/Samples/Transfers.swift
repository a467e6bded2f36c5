import Foundation
import HeliumKit

/// Samples of the handling of failures, and of responses with more than one value.
struct TransferSamples {
    let print: Printer

    func retries(_ helium: Helium) async throws {
        // sample: retries
        let response = try await helium.post("/orders", body: Draft(name: "Tea"), returning: Created.self)
            .idempotencyKey()  // the same on each attempt: now the server can tell a repetition
            .retry(.attempts(5))
            .response()
        print(response.value.id, response.attempts.map(\.outcome), response.idempotencyKey != nil)
        // end of sample
    }

    func download(_ helium: Helium, to target: URL) async throws {
        // sample: download
        var options = DownloadOptions()
        options.resume = .ifPossible
        options.maximumBytes = 1 << 30
        options.progress = { progress in print("\(Int(100 * (progress.fraction ?? 0))) %") }
        let download = try await helium.get("/zeros").parameters(["count": 5000])
            .download(to: target, options: options)
        // end of sample
        print(download.bytes)
    }

    func events(_ helium: Helium) async throws {
        // sample: events
        let events = helium.get("/feed", returning: Data.self).serverSentEvents()
        for try await event in events where event.type == "price" {
            print(event.data)
        }
        // end of sample
    }

    func pages(_ helium: Helium) async throws {
        // sample: pages
        for try await todo in helium.get("/todos", returning: [Todo].self).pages(.linkHeader()).elements {
            print(todo.name)
        }
        // end of sample
    }
}
