internal import GRDB
internal import HeliumJSON

/// The reason why a stored scope is not served. Its rows stay as they are, and the other scopes are served.
enum StoredRootFault: Hashable, Sendable, CustomStringConvertible {
    /// The row of the root is damaged.
    case unreadable
    /// The scope file gives the root another class, for example because the class was renamed.
    case otherClass

    var description: String {
        switch self {
        case .unreadable: "its root cannot be read from the store"
        case .otherClass: "its root in the store is not of the class in the scope file"
        }
    }
}

extension StoredState {
    /// Returns the reason why a scope cannot be restored; `nil` if it can, or if it is not in the store.
    func rootFault(of definition: ScopeFile.ScopeDefinition) -> StoredRootFault? {
        guard !unreadableScopes.contains(ByteText(definition.name)) else { return .unreadable }
        guard let objects = scopes[definition.name] else { return nil }
        guard let root = objects.first else { return .unreadable }
        return root.className.hasSameBytes(as: definition.root) ? nil : .otherClass
    }
}

extension JetstreamStore {
    /// Returns the scopes of a file that a server with this store would not serve, one line for each. Scopes with a root
    /// that cannot be read are left out, because the check of the rows names their roots.
    static func problems(of file: ScopeFile, in database: Database) throws -> [String] {
        let roots = try StoredState.rootClasses(database)
        return file.scopes.compactMap { definition in
            guard let root = roots[definition.name], !root.hasSameBytes(as: definition.root) else { return nil }
            // The name is that of the file, not a value of the store.
            return
                "jetstream: the scope \"\(definition.name.excerpt(64))\" is not served: \(StoredRootFault.otherClass)"
        }
    }
}
