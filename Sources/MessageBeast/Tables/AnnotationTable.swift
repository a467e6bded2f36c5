internal import GRDB

/// The numbers of annotations of the registered types.
struct AnnotationTable {
    private let insertion: Statement
    private let deletion: Statement

    init(_ database: Database) throws {
        insertion = try database.cachedStatement(
            sql: "INSERT INTO annotation_instance (type, local_id, count) VALUES (?, ?, ?)"
        )
        deletion = try database.cachedStatement(sql: "DELETE FROM annotation_instance WHERE local_id = ?")
    }

    func insert(_ annotation: MessageDerivation.AnnotationCount, of localID: Int64) throws {
        try insertion.execute(arguments: [annotation.type, localID, annotation.count])
    }

    func delete(of localID: Int64) throws { try deletion.execute(arguments: [localID]) }
}
