internal import GRDB

/// What pnut tells of an object and App.net does not (§6.3): added to the answer, object by object.
struct PnutSupplement {
    let database: Database

    /// `data` with the members that are missing.
    func completed(_ data: JSONTree, _ kind: PnutObject) throws -> JSONTree {
        if case .array(let elements) = data { return .array(try elements.map { try completed($0, kind) }) }
        guard let id = data["id"]?.stringValue.flatMap({ Int64($0) }) else { return data }
        var object = data
        let table = PnutTable(database: database)
        switch kind {
        case .message:
            object.set("is_sticky", .bool(try table.isSticky(id)))
            if let deleter = try table.deleter(of: id) { object.set("deleted_by", .id(deleter)) }
        case .channel:
            object.set("has_sticky_messages", .bool(try table.stickyCount(in: id) > 0))
            let created = try Int64.fetchOne(
                database,
                sql: "SELECT created FROM appnet_channel WHERE id = ?",
                arguments: [id]
            )
            object.set("created_at", created.map { .string(AppNetDate.text($0)) })
        case .file:
            let own = try FileTable(database: database).contents(of: id).first { $0.key.isEmpty }
            object.set("sha256", object["is_complete"] == .bool(true) ? own.map { .string($0.sha256) } : nil)
        default: break
        }
        return object
    }
}
