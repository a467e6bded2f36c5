import HTTPTypes
import HeliumServer
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

/// `make test` asks each route for the owner and for one other reader, `make prove` for all readers.
@Suite("Rights of all calls of App.net and pnut.io", .tags(.random), .timeLimit(.minutes(30)))
struct RightsTests {
    private static let isWhole = ProofLength.duration != nil

    /// The routes by their keys, without the streams, which ``StreamRightsTests`` covers.
    private static let routes: [String: AppNetRoute] = {
        let pairs = AppNetRoutes.all.filter { $0.area != .live }.flatMap { route in
            route.methods.map { (RightsRow.key(route.area, $0, route.pattern.description), route) }
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    @Test("every route has a row in the table of rights, and every row a route")
    func completeness() {
        let rows = Set(RightsTable.rows.map(\.key))
        for key in Self.routes.keys { #expect(rows.contains(key), "a row is missing for \(key)") }
        for key in rows { #expect(Self.routes[key] != nil, "there is no route for \(key)") }
    }

    /// Returns the readers for a row: all, or the owner and another one.
    private static func readers(_ number: Int) -> [RightsReader] {
        if isWhole { return RightsReader.allCases }
        return [.owner, RightsReader.allCases[1 + number % (RightsReader.allCases.count - 1)]]
    }

    /// Sends a row's request and checks what the response contains. Returns the names of the secrets in it.
    private static func checked(
        _ row: RightsRow,
        _ reader: RightsReader,
        _ world: RightsWorld,
        status: Int?
    ) async throws -> Set<String> {
        let answer = try await world.peer(reader).send(
            row.method,
            world.filled(row.target()),
            row.body.map(world.filled)
        )
        let name = "\(reader) \(row.method) \(row.target)"
        if let status { #expect(answer.status == status, "\(name): \(answer.text)") }
        return Self.secrets(in: answer.text, for: reader, world, name)
    }

    private static func secrets(
        in text: String,
        for reader: RightsReader,
        _ world: RightsWorld,
        _ name: String
    ) -> Set<String> {
        let found = RightsSecret.all.filter { text.contains($0.text) }
        for secret in found { #expect(secret.readers.contains(reader), "\(name) shows the \(secret.name): \(text)") }
        for token in world.tokens { #expect(!text.contains(token), "\(name) shows a token: \(text)") }
        return Set(found.map(\.name))
    }

    @Test("reading calls have the status of their reader's right, and nothing in them that the reader may not see")
    func reads() async throws {
        try await RightsWorld.make { world in
            var found: [RightsReader: Set<String>] = [:]
            for (number, row) in RightsTable.rows.enumerated() where row.method == "GET" {
                guard let route = Self.routes[row.key] else { continue }
                for reader in Self.readers(number) {
                    let status = row.expected(reader, route)
                    found[reader, default: []] += try await Self.checked(row, reader, world, status: status)
                }
            }
            // The table would prove nothing if no reader saw the secrets.
            for reader in Self.isWhole ? RightsReader.allCases : [.owner] {
                let visible = Set(RightsSecret.all.filter { $0.readers.contains(reader) }.map(\.name))
                #expect(found[reader] == visible, "\(reader)")
            }
        }
    }

    @Test("writing calls refuse the readers who do not have the right, and show them nothing")
    func refusedWrites() async throws {
        try await RightsWorld.make { world in
            for (number, row) in RightsTable.rows.enumerated() where row.method != "GET" {
                guard let route = Self.routes[row.key] else { continue }
                let refused = RightsReader.allCases.filter { row.expected($0, route).map { $0 >= 400 } ?? false }
                let some = refused.isEmpty ? [] : [refused[number % refused.count]]
                for reader in Self.isWhole ? refused : some {
                    _ = try await Self.checked(row, reader, world, status: row.expected(reader, route))
                }
            }
        }
    }

    /// The writing calls and the readers who may make them, of which each changes its own world.
    private static let allowedWrites: [(row: RightsRow, reader: RightsReader)] = {
        let all = RightsTable.rows.filter { $0.method != "GET" }.flatMap { row in
            RightsReader.allCases.compactMap { reader -> (RightsRow, RightsReader)? in
                guard let route = routes[row.key], let status = row.expected(reader, route), status < 400 else {
                    return nil
                }
                return (row, reader)
            }
        }
        guard !isWhole else { return all }
        // Those whose responses once showed more than their readers may see.
        return all.filter { $0.0.call == "DELETE channels/{channel}/subscribe" && $0.1 != .owner }
    }()

    @Test("writing calls of readers who have the right succeed, and show them what they may see")
    func allowedWrites() async throws {
        for (row, reader) in Self.allowedWrites {
            try await RightsWorld.make { world in
                _ = try await Self.checked(row, reader, world, status: row.status)
            }
        }
    }

    // MARK: pnut.io

    @Test("calls of pnut.io's dialect show no reader more than the calls of App.net that they stand for")
    func pnut() async throws {
        let rows = Dictionary(grouping: RightsTable.rows) { Self.shape($0.key) }
        try await RightsWorld.make { world in
            for (number, route) in PnutRoutes.all.enumerated() where route.area != .oauth {
                for method in route.methods {
                    let asked = route.method ?? method
                    let key = Self.shape(RightsRow.key(route.area, asked, route.path))
                    let found = try #require(rows[key], "there is no row for pnut.io's \(method) \(route.pattern)")
                    // pnut.io has no filters, and paths to nothing do not need a translation.
                    for row in found where !row.path.contains("/none") && row.body?.contains("filter_id") != true {
                        for reader in Self.readers(number) {
                            try await Self.check(row, route, method, reader, world)
                        }
                    }
                }
            }
        }
    }

    /// Checks a reading call for all readers, and a writing call for those who are refused.
    private static func check(
        _ row: RightsRow,
        _ route: PnutRoute,
        _ method: HTTPRequest.Method,
        _ reader: RightsReader,
        _ world: RightsWorld
    ) async throws {
        guard let appNet = routes[row.key], let status = row.expected(reader, appNet) else { return }
        // A missing list of ids is refused by pnut.io for all readers.
        let lacksIDs = method == .get && route.pattern.description == "channels" && !row.target.contains("ids=")
        let isRefused = status >= 400 || lacksIDs
        guard method == .get || isRefused else { return }
        let values = zip(AppNetPattern(route.path).parts, row.path.split(separator: "/")).compactMap { part, value in
            // In pnut.io, a stream's name is its key.
            if case .parameter = part { value == "FEED" ? RightsSecret.stream.text : String(value) } else { nil }
        }
        var rest = values[...]
        let path = route.pattern.parts.map { part in
            switch part {
            case .literal(let text): text
            case .parameter: rest.popFirst() ?? ""
            }
        }
        let target = row.target(below: "/v1/", path: path.joined(separator: "/")) + "&include_raw=1"
        let answer = try await world.peer(reader).send(
            method.rawValue,
            world.filled(target),
            row.body.map(world.filled)
        )
        let name = "\(reader) \(method) \(target)"
        #expect((answer.status >= 400) == isRefused, "\(name): \(answer.status) \(answer.text)")
        _ = secrets(in: answer.text, for: reader, world, name)
    }

    /// Returns the key of a route without the names of its parameters.
    private static func shape(_ key: String) -> String { key.replacing(/\{[a-z_]+\}/, with: "{}") }
}

extension Set {
    fileprivate static func += (left: inout Self, right: Self) { left.formUnion(right) }
}
