import Foundation
import HeliumKit

/// Something that has to be so in a browser.
struct BrowserCheck: Sendable {
    /// The longest time of a check. The longest one waits for a page that loads itself again after 30 seconds.
    private static let limit = Duration.seconds(120)

    let name: String
    private let body: @Sendable (BrowserPlace) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (BrowserPlace) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Runs the check, and cancels it after the limit.
    ///
    /// - Throws: What the check throws; ``BrowserFailure`` when the limit is reached.
    func run(_ place: BrowserPlace) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [body] in try await body(place) }
            group.addTask {
                try await Task.sleep(for: Self.limit)
                throw BrowserFailure("it takes more than \(Self.limit)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    static let all = live + charts + appearances + plain
}

/// A client of chromedriver, and the folder of the screenshots.
struct BrowserPlace: Sendable {
    let helium: Helium
    let pictures: URL
}

/// The error of a check: the difference between the actual and the expected result.
struct BrowserFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    guard condition else { throw BrowserFailure(what()) }
}

func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
    guard found == expected else { throw BrowserFailure("\(what) is \(found), not \(expected)") }
}
