import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

@testable import AppNet

/// The exchanges of `Fixtures/appnet` in the form of the recorded ones, and those where the machine has them.
enum RecordedExchanges {
    static let documents = SharedDocuments.all("appnet").filter { $0.name.hasSuffix(".exchange.json") }
}

/// Replays requests to the service and its responses to the client. Those of `../shared` were recorded in 2013.
@Suite("Recorded exchanges of App.net")
struct RecordedExchangeTests {
    /// One of them, as far as calls are concerned.
    private struct Exchange {
        let method: String
        let segments: [String]
        let hasIDs: Bool
        let response: JSONValue

        init(_ document: SharedDocuments.Document) throws {
            let value = try JSONValue(parsing: document.contents)
            method = try #require(value["request", "method"]?.stringValue)
            let target = try #require(value["request", "path"]?.stringValue)
            let path = target.prefix { $0 != "?" }
            segments = path.split(separator: "/").dropFirst(2).map(String.init)
            hasIDs = target.contains("?ids=")
            response = try #require(value["response"])
        }

        var status: Int { response["status"]?.intValue ?? 0 }

        var answer: TransportResponse {
            var fields = HTTPFields()
            for (name, value) in response["headers"]?.objectValue ?? [:] {
                if let name = HTTPField.Name(name), let text = value.stringValue { fields[name] = text }
            }
            return .json(response["body"]?.description ?? "", status: status, fields: fields)
        }

        /// The table's calls at this place, with what stands for the placeholders.
        var calls: [(CallSpecification, [String: String])] {
            let fitting = CallTable.all.compactMap { call -> (CallSpecification, [String: String], Int)? in
                guard let endpoint = call.appNet, endpoint.method.rawValue == method,
                    endpoint.query.contains("ids") == hasIDs
                else { return nil }
                let pattern = endpoint.path.split(separator: "/").map(String.init)
                guard pattern.count == segments.count else { return nil }
                var path: [String: String] = [:]
                for (name, segment) in zip(pattern, segments) {
                    if name.hasPrefix(":") {
                        path[String(name.dropFirst())] = segment
                    } else if name != segment {
                        return nil
                    }
                }
                return (call, path, path.count)
            }
            // A path that says more in words is meant before one with placeholders.
            let fewest = fitting.map(\.2).min()
            return fitting.filter { $0.2 == fewest }.map { ($0.0, $0.1) }
        }
    }

    /// Makes a call and reads what it answers by the table.
    private func make(_ request: CallRequest, with client: AppNetClient) async throws {
        let type = try #require(request.call.result)
        _ = try await client.value(request, as: type)
    }

    @Test(
        "a recorded exchange is one call of the table, and its response and header fields are decoded",
        arguments: RecordedExchanges.documents
    )
    func exchanges(document: SharedDocuments.Document) async throws {
        let exchange = try Exchange(document)
        let calls = exchange.calls
        // Muting is only asked for where it can't be read.
        guard exchange.status != 405 else {
            #expect(calls.isEmpty)
            return
        }
        #expect(calls.count == 1, "\(calls.map(\.0.name))")
        let (call, path) = try #require(calls.first)
        let client = try makeClient(MockTransport(answers: [exchange.answer]))
        let error = await AppNetError.thrown { try await make(CallRequest(call, path), with: client) }
        #expect((error == nil) == (exchange.status == 200), "\(error?.description ?? "no error")")
        if let error {
            #expect(error.status == exchange.status && error.kind == .badRequest)
            #expect(error.serverMessage == exchange.response["body", "meta", "error_message"]?.stringValue)
        }
        let headers = exchange.response["headers"]
        #expect(client.rateLimit?.limit.map(String.init) == headers?["x-ratelimit-limit"]?.stringValue)
        #expect(client.rateLimit?.remaining.map(String.init) == headers?["x-ratelimit-remaining"]?.stringValue)
        let scopes = headers?["x-oauth-scopes"]?.stringValue?.split(separator: ",").map {
            AuthScope(rawValue: String($0))
        }
        #expect(client.grantedScopes == scopes)
        #expect(client.enabledMigrations == (headers?["x-adn-migrations-enabled"] == nil ? nil : []))
    }
}
