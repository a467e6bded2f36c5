import Foundation
import HeliumKit

/// One thing that both sides must agree on.
struct Check: Sendable {
    let name: String
    let run: @Sendable (Bin) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (Bin) async throws -> Void) {
        self.name = name
        self.run = run
    }

    static let all = methods + fields + bodies + redirects + streams + codings + credentials + failures + downloads
}

/// Runs `body`, and cancels it after a limit.
///
/// - Throws: What `body` throws; `Disagreement` when the limit is over.
func within(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw Disagreement("it takes more than \(limit)")
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// The error of a check: the difference between the actual and the expected value.
struct Disagreement: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func expect<Value: Equatable>(_ found: Value, is meant: Value, _ what: String) throws {
    guard found == meant else { throw Disagreement("\(what) is \(found), not \(meant)") }
}

/// httpbin, and a client of it.
struct Bin: Sendable {
    let url: URL
    let helium: Helium

    init(_ url: URL) throws {
        self.url = url
        helium = try Helium(baseURL: url)
    }

    /// A client that proves its identity.
    func with(_ authorizer: some Authorizer, _ body: (Helium) async throws -> Void) async throws {
        try await withHelium(baseURL: url, authorizer: authorizer, body)
    }

    /// The failure of a call that must fail.
    func failure(of call: () async throws -> Void) async throws -> HeliumError {
        do {
            try await call()
        } catch let error as HeliumError {
            return error
        }
        throw Disagreement("it succeeds")
    }
}

/// The properties of a request that httpbin returns.
struct Echo: Decodable, Sendable {
    var method: String?
    var url: String
    var headers: [String: String]
    var args: [String: OneOrMany]?
    var data: String?
    var form: [String: OneOrMany]?
    var files: [String: OneOrMany]?
    var json: [String: Int]?
}

/// httpbin writes one value as itself, several as a list.
enum OneOrMany: Decodable, Equatable, Sendable, CustomStringConvertible {
    case one(String)
    case many([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .one(text)
        } else {
            self = .many(try container.decode([String].self))
        }
    }

    var description: String {
        switch self {
        case .one(let text): text
        case .many(let texts): "\(texts)"
        }
    }
}
