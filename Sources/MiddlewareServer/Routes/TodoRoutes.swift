internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The todos of the reference server's demo (Docs/Protocols/Middleware.md §5.4).
struct TodoRoutes: Sendable {
    let store: MiddlewareStore
    let maximumTodos: Int
    /// The group of a todo that is created without one.
    let group: String

    /// The maximum number of todos in one response, whatever `limit` is. The reference server has no such maximum.
    static let largestPage = 1000

    var routes: [MiddlewareRoute] {
        [
            MiddlewareRoute(id: "todo.list", kind: .list, resource: "todo", rules: Self.pageRules, run: list),
            MiddlewareRoute(id: "todo.index", kind: .index, resource: "todo", rules: [], run: index),
            MiddlewareRoute(
                id: "todo.create",
                kind: .create,
                resource: "todo",
                rules: Self.bodyRules(isComplete: true),
                run: create
            ),
            MiddlewareRoute(
                id: "todo.update",
                kind: .update,
                resource: "todo",
                rules: Self.bodyRules(isComplete: false),
                codes: [400: ["BodyDataIsEmpty"]],
                run: update
            ),
            MiddlewareRoute(
                id: "todo.delete",
                kind: .delete,
                resource: "todo",
                rules: [],
                codes: [404: ["NothingToRemove"]],
                run: remove
            ),
        ]
    }

    private static let pageRules = [
        ParameterRule(id: "limit", section: .query, kind: .number),
        ParameterRule(id: "skip", section: .query, kind: .number), ParameterRule(id: "sort", section: .query),
        ParameterRule(id: "ascending", section: .query, kind: .boolean),
    ]

    private static func bodyRules(isComplete: Bool) -> [ParameterRule] {
        [
            ParameterRule(
                id: "name",
                section: .body,
                // If a name is required, an empty name counts as missing.
                minimumLength: isComplete ? nil : 1,
                maximumLength: 1000,
                pattern: { !$0.holdsNull },
                isRequired: isComplete
            ),
            ParameterRule(id: "status", section: .body, allowed: ["checked", "unchecked"], allowsNumbers: true),
            ParameterRule(id: "group", section: .body, maximumLength: 50, pattern: { !$0.holdsNull }),
        ]
    }

    @Sendable private func list(_ call: MiddlewareCall) async throws -> JSONValue? {
        // `ascending` is read but has no effect, as in the reference server, which always sorts in ascending order.
        let todos = try await store.todos(
            by: TodoOrder(rawValue: call.values.string("sort", in: .query) ?? "created"),
            skip: max(call.values.integer("skip", in: .query) ?? 0, 0),
            // The reference server's database ignores the sign of a limit.
            limit: Int(min((call.values.integer("limit", in: .query) ?? 25).magnitude, UInt(Self.largestPage)))
        )
        return .array(todos.map(\.document))
    }

    @Sendable private func index(_ call: MiddlewareCall) async throws -> JSONValue? {
        .array(try await store.todo(try Self.identifier(of: call)).map { [$0.document] } ?? [])
    }

    @Sendable private func create(_ call: MiddlewareCall) async throws -> JSONValue? {
        let todo = TodoRecord(
            id: store.newID(byteCount: 12),
            name: call.values.string("name", in: .body) ?? "",
            status: call.values.string("status", in: .body)?.lowercased() ?? "unchecked",
            group: call.values.string("group", in: .body) ?? group,
            created: call.now,
            lastModified: call.now
        )
        try await store.insert(todo, maximum: maximumTodos)
        return ["id": .string(todo.id)]
    }

    @Sendable private func update(_ call: MiddlewareCall) async throws -> JSONValue? {
        let id = try Self.identifier(of: call)
        let values = call.values
        guard values.body != .object([:]) else {
            throw RouteFailure(.badRequest, code: "BodyDataIsEmpty", "Body data is empty")
        }
        let now = call.now
        let changed = try await store.updateTodo(id) { todo in
            if let name = values.string("name", in: .body) { todo.name = name }
            if let status = values.string("status", in: .body) { todo.status = status.lowercased() }
            if let group = values.string("group", in: .body) { todo.group = group }
            todo.lastModified = now
        }
        // Docs/Protocols/Middleware.md does not define the reference server's response for a missing todo. An error
        // without members is its usual form.
        guard changed != nil else { throw RouteFailure(.notFound) }
        return nil
    }

    @Sendable private func remove(_ call: MiddlewareCall) async throws -> JSONValue? {
        guard try await store.removeTodo(try Self.identifier(of: call)) else {
            throw RouteFailure(.notFound, code: "NothingToRemove", "There is nothing to remove")
        }
        return nil
    }

    /// Returns the id of the path. The reference server's database fails on an invalid id, so the route responds with
    /// 500 and an empty error.
    private static func identifier(of call: MiddlewareCall) throws -> String {
        let id = call.identifier.lowercased()
        guard id.utf8.count == 24, id.allSatisfy(\.isHexDigit) else { throw RouteFailure(.internalServerError) }
        return id
    }
}
