import Foundation
import HeliumConcurrency
import HeliumJSON
import HeliumTesting
import Synchronization

@testable import Cosm

extension TransportRequest {
    /// Method, path and body with sorted members: what a test expects of a request at a glance.
    var line: String {
        let body = (try? JSONValue(parsing: body ?? Data()))?.text(formatting: .sortedMembers)
        return [method.rawValue, decodedPath, body ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The path without the format's suffix, decoded.
    var decodedPath: String {
        let path = path.removingPercentEncoding ?? path
        return path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    }

    var key: String? { HTTPField.Name("X-ApiKey").flatMap { fields[$0] } }
}

extension MockTransport {
    var lines: [String] { requests.map(\.line) }

    /// Answers as the service does: creates with 201 and a `Location`, other writes with 200 and a space.
    convenience init(
        cosm answer: @escaping @Sendable (TransportRequest) async throws(TransportFailure) -> TransportResponse?
    ) {
        self.init { request throws(TransportFailure) in
            if let response = try await answer(request) { return response }
            guard request.method == .post, !request.decodedPath.hasSuffix("/datapoints") else {
                return .data(Data(" ".utf8))
            }
            return .empty(status: 201, fields: [.location: "http://cosm.test/v2/feeds/504"])
        }
    }

    /// Answers any read with a document.
    convenience init(reading document: String) {
        self.init(cosm: { request in request.method == .get ? .json(document) : nil })
    }

    /// Refuses everything as the service does.
    convenience init(refusing status: Int) {
        self.init(cosm: { _ in .json(#"{"title":"Forbidden","errors":"You may not"}"#, status: status) })
    }
}

/// The elements that a task collects for a test.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Guarded<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

extension ModelEvents {
    /// The next so many events.
    func next(_ count: Int) async -> [ModelEvent] {
        var events: [ModelEvent] = []
        for await event in self {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }
}
