import Foundation
import HeliumKit

@testable import TestSupport

/// One of the many that make calls, one at a time.
struct SoakWorker {
    var random: SeededRandom
    let clients: ClientPool
    let ledger: Ledger

    mutating func call() async {
        let (helium, isSigned) = clients.pick(&random)
        let path = isSigned ? "/todo" : "/a"
        let limit = Duration.milliseconds(random.below(4) == 0 ? random.below(300) : 2000 + random.below(3000))
        // Most calls are let be; some are cancelled at any time, from before they begin.
        let cancelAfter: Duration? = random.below(4) == 0 ? .microseconds(random.below(60_000)) : nil
        let ledger = ledger
        switch random.below(6) {
        case 0, 1:
            await cancelling(cancelAfter) {
                await ledger.run("GET") { _ = try await helium.get(path, returning: Data.self).timeout(limit).value() }
            }
        case 2:
            let text = String(repeating: "x", count: random.below(20_000))
            await cancelling(cancelAfter) {
                await ledger.run("POST") { try await helium.post(path, body: .text(text)).timeout(limit).value() }
            }
        case 3:
            let chunks = random.below(3) == 0 ? random.below(4) : 400
            await cancelling(cancelAfter) {
                await ledger.run("stream") {
                    let stream = try await helium.get(path).timeout(limit).stream()
                    var left = chunks
                    for try await _ in stream.body {
                        left -= 1
                        if left <= 0 { break }
                    }
                }
            }
        case 4:
            let (count, isAnnounced) = (1 + random.below(20), random.below(2) == 0)
            await cancelling(cancelAfter) {
                await ledger.run("upload") {
                    let body = RequestContent.stream(
                        length: isAnnounced ? Int64(count * 5000) : nil,
                        isReplayable: true
                    ) {
                        Pieces(count: count)
                    }
                    try await helium.put(path, body: body).timeout(limit).value()
                }
            }
        default:
            await completion(helium.get(path, returning: Data.self).timeout(limit), cancelAfter)
        }
    }

    private func cancelling(_ pause: Duration?, _ call: @escaping @Sendable () async -> Void) async {
        guard let pause else { return await call() }
        let task = Task { await call() }
        try? await Task.sleep(for: pause)
        task.cancel()
        await task.value
    }

    /// The form with a handler, which must be called once.
    private func completion(_ builder: RequestBuilder<Data>, _ cancelAfter: Duration?) async {
        let id = ledger.begin("completion")
        let ledger = ledger
        let task = builder.completion { result in
            switch result {
            case .success: ledger.end(id, "answered")
            case .failure(let error): ledger.end(id, error.kind.rawValue)
            }
        }
        if let cancelAfter {
            try? await Task.sleep(for: cancelAfter)
            task.cancel()
        }
        await task.finish()
    }
}

/// Pieces of 5,000 bytes, with a moment between them.
private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var count: Int

    mutating func next() async throws -> Data? {
        guard count > 0 else { return nil }
        count -= 1
        if count % 4 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        return Data(count: 5000)
    }

    func makeAsyncIterator() -> Self { self }
}
