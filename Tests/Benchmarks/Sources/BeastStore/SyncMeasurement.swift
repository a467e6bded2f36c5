import AppNet
import BenchmarkHarness
import Foundation
import HTTPTypes
import HeliumCore
import HeliumJSON

@testable import MessageBeast

/// The memory of a full sync of many messages.
struct SyncMeasurement {
    let store: Store
    let count: Int

    func run() async throws -> [OperationResult] {
        let pages = Pages(count: count)
        let manager = try await store.manager("sync.sqlite", .extracting(true), transport: pages)
        var stored = 0
        for try await progress in manager.fullSync(of: Messages.channel) { stored = progress.messages }
        guard stored == count else { throw WrongResult(operation: "full sync: \(stored) messages") }
        await manager.stop()
        let bytes = Double(ProcessUsage.peakResidentKibibytes()) * 1024
        return [
            OperationResult(
                group: "beast-sync",
                operation: "peak memory of a full sync",
                bytes: 0,
                rounds: [bytes],
                unit: "bytes"
            )
        ]
    }
}

/// A service that has messages with the numbers from 1, and makes each page when it is requested.
final class Pages: HTTPTransport {
    private let count: Int
    private let messages = Messages()

    init(count: Int) { self.count = count }

    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let target = request.url.target
        let before = target.split(separator: "before_id=").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
        let last = min(count, (before ?? count + 1) - 1)
        let first = max(1, last - 199)
        do {
            let page = try stride(from: last, through: first, by: -1).map {
                try IncomingMessage.text(of: messages.message($0))
            }
            let meta = #"{"code":200,"more":\#(first > 1),"min_id":"\#(first)","max_id":"\#(last)"}"#
            let body = #"{"meta":\#(meta),"data":[\#(page.joined(separator: ","))]}"#
            let head = ResponseHead(status: 200, fields: [.contentType: "application/json"])
            return TransportResponse(head: head, body: .collected(Data(body.utf8)))
        } catch {
            throw TransportFailure(.connectionFailed, delivery: .notSent, message: "\(error)")
        }
    }

    func shutdown() async {}
}
