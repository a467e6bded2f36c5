internal import GRDB
internal import HeliumJSON

/// The keys that a transaction has read. Each is read and decoded once, because it can have a thousand resources.
final class CachedKeys {
    private let read: (String) throws -> AccessKey?
    private var known: [ByteText: AccessKey?] = [:]

    init(_ database: Database) { read = KeyTable(database: database).key }

    init(reading read: @escaping (String) throws -> AccessKey?) { self.read = read }

    /// Returns a key; `nil` if it does not exist.
    func key(_ secret: String) throws -> AccessKey? {
        if let known = known[ByteText(secret)] { return known }
        let key = try read(secret)
        known[ByteText(secret)] = .some(key)
        return key
    }
}
