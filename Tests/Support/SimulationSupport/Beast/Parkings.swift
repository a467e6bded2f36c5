import GRDB

/// The texts of all messages that were ever parked, also if the engine was killed before it could say so.
enum Parkings {
    /// Notes them from now on, in the one connection of a database in memory.
    static func watch(_ disk: DatabaseQueue) throws {
        try disk.write { database in
            try database.execute(
                sql: """
                    CREATE TEMP TABLE parking (text TEXT);
                    CREATE TEMP TRIGGER parked AFTER UPDATE OF state ON outbox WHEN new.state = 'parked'
                    BEGIN
                        INSERT INTO parking SELECT text FROM message WHERE local_id = new.local_id;
                    END
                    """
            )
        }
    }

    static func texts(_ disk: DatabaseQueue) throws -> Set<String> {
        try disk.read { try String.fetchSet($0, sql: "SELECT text FROM parking WHERE text IS NOT NULL") }
    }
}
