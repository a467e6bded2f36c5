internal import GRDB
internal import HeliumJSON

/// The keys that a write or its publishing reads. Each is read once, and decoded only if the ``KeyCache`` does not have it.
///
/// It is used by the connection that writes, never by a reader: a reader can see a state before the last write.
final class CachedKeys {
    private let read: (String) throws -> AccessKey?
    private let cache: KeyCache
    private let pass: UInt64
    private var known: [ByteText: AccessKey?] = [:]

    convenience init(_ database: Database, _ cache: KeyCache) {
        self.init(cache: cache, reading: KeyTable(database: database).key)
    }

    init(cache: KeyCache = KeyCache(), reading read: @escaping (String) throws -> AccessKey?) {
        self.cache = cache
        self.read = read
        pass = cache.beginPass()
    }

    /// Returns a key; `nil` if it does not exist.
    func key(_ secret: String) throws -> AccessKey? {
        let name = ByteText(secret)
        if let known = known[name] { return known }
        if let key = cache.key(name, in: pass) { return key }
        let key = try read(secret)
        known[name] = .some(key)
        if let key { cache.add(key, in: pass) }
        return key
    }
}
