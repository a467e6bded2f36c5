internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls for files, users and the system (Docs/Protocols/AppNet.md §6.2).
struct PnutServiceHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `DELETE files?ids=`. Deletes the caller's files of `ids` at once. The response contains an operation.
    func deleteFiles() throws -> AppNetResponse {
        let me = try context.me()
        let own = try context.parameters.ids().compactMap { try tables.files.file($0) }.filter { $0.owner == me }
        try require(context.parameters["ids"] != nil, "You must supply ids.")
        for file in own { try FileWriter(context).delete(file) }
        let id = context.state.store.newSecret()
        try tables.pnut.insertOperation(id, user: me, total: own.count)
        var answer = AppNetResponse(content: .none)
        answer.meta = ["status_url": .string("\(context.request.root)\(AppNetArea.pnutPrefix)/sys/ops/\(id)")]
        return answer
    }

    /// Handles `GET sys/ops/{uuid}`.
    func readOperation() throws -> AppNetResponse {
        let id = context.segment("uuid")
        guard let total = try tables.pnut.operation(id, of: try context.me()) else { throw AppNetFailure.notFound }
        return .data([
            "id": .string(id), "type": "file_delete", "status": "completed", "is_complete": .bool(true),
            "total": .count(total), "done": .count(total),
        ])
    }

    /// Handles `GET sys/stats`.
    func readStatistics() throws -> AppNetResponse {
        .data([
            "counts": [
                "users": .count(try tables.users.all().count), "files": .count(try tables.files.count()),
                "channels": .count(try tables.channels.count()), "messages": .count(try tables.messages.count()),
            ]
        ])
    }

    /// Handles `GET users/suggested`. Returns at most `count` users that the caller does not follow. Default: 20.
    func suggestUsers() throws -> AppNetResponse {
        let me = try context.me()
        let known = Set(try tables.relations.objects(.follow, of: me)).union([me])
        let count = min(max(try context.parameters.integer("count") ?? 20, 1), 200)
        let others = try tables.users.all().lazy.map(\.id).filter { !known.contains($0) }.prefix(count)
        return .data(.array(try others.compactMap { try context.renderer.user($0) }))
    }
}
