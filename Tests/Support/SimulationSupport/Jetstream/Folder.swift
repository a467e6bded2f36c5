import JetstreamCore

/// The root of a simulated tree, and its branches: with shared children and cycles, with objects that only this client has
/// in its tree, with objects that only the server keeps, and with a reference that is sent late.
final class Folder {
    private var _note: String = ""
    var note: String {
        get {
            modelNode.access(self, \Folder.note)
            return _note
        }
        set {
            modelNode.mutate(self, \Folder.note, in: Folder.modelSchema, at: 0, from: _note, to: newValue) {
                _note = newValue
            }
        }
    }

    private var _cursor: Double = 0
    var cursor: Double {
        get {
            modelNode.access(self, \Folder.cursor)
            return _cursor
        }
        set {
            modelNode.mutate(self, \Folder.cursor, in: Folder.modelSchema, at: 1, from: _cursor, to: newValue) {
                _cursor = newValue
            }
        }
    }

    private var _folders: [Folder] = []
    var folders: [Folder] {
        get {
            modelNode.access(self, \Folder.folders)
            return _folders
        }
        set {
            modelNode.mutate(self, \Folder.folders, in: Folder.modelSchema, at: 2, from: _folders, to: newValue) {
                _folders = newValue
            }
        }
    }

    private var _link: Folder?
    var link: Folder? {
        get {
            modelNode.access(self, \Folder.link)
            return _link
        }
        set {
            modelNode.mutate(self, \Folder.link, in: Folder.modelSchema, at: 3, from: _link, to: newValue) {
                _link = newValue
            }
        }
    }

    private var _canvases: [Canvas] = []
    var canvases: [Canvas] {
        get {
            modelNode.access(self, \Folder.canvases)
            return _canvases
        }
        set {
            modelNode.mutate(self, \Folder.canvases, in: Folder.modelSchema, at: 4, from: _canvases, to: newValue) {
                _canvases = newValue
            }
        }
    }

    // Local: neither sent nor counted by the server.
    private var _pinned: Shape?
    var pinned: Shape? {
        get {
            modelNode.access(self, \Folder.pinned)
            return _pinned
        }
        set {
            modelNode.mutate(self, \Folder.pinned, in: Folder.modelSchema, at: 5, from: _pinned, to: newValue) {
                _pinned = newValue
            }
        }
    }

    private var _opened: Folder?
    var opened: Folder? {
        get {
            modelNode.access(self, \Folder.opened)
            return _opened
        }
        set {
            modelNode.mutate(self, \Folder.opened, in: Folder.modelSchema, at: 6, from: _opened, to: newValue) {
                _opened = newValue
            }
        }
    }

    // Weak: counted by the server alone.
    private weak var _favorite: Folder?
    var favorite: Folder? {
        get {
            modelNode.access(self, \Folder.favorite)
            return _favorite
        }
        set {
            modelNode.mutate(self, \Folder.favorite, in: Folder.modelSchema, at: 7, from: _favorite, to: newValue) {
                _favorite = newValue
            }
        }
    }

    // Delayed: for its interval, the server has the former reference.
    private var _target: Folder?
    var target: Folder? {
        get {
            modelNode.access(self, \Folder.target)
            return _target
        }
        set {
            modelNode.mutate(self, \Folder.target, in: Folder.modelSchema, at: 8, from: _target, to: newValue) {
                _target = newValue
            }
        }
    }

    static let modelSchema = ModelSchema("Folder", of: Folder.self) {
        [
            .stored("note", \Folder.note, get: { $0._note }, set: { $0.note = $1 }),
            .stored(
                "cursor",
                \Folder.cursor,
                get: { $0._cursor },
                set: { $0.cursor = $1 },
                attributes: .init(minSyncInterval: 0.05)
            ),
            .stored("folders", \Folder.folders, get: { $0._folders }, set: { $0.folders = $1 }),
            .stored("link", \Folder.link, get: { $0._link }, set: { $0.link = $1 }),
            .stored("canvases", \Folder.canvases, get: { $0._canvases }, set: { $0.canvases = $1 }),
            .stored(
                "pinned",
                \Folder.pinned,
                get: { $0._pinned },
                set: { $0.pinned = $1 },
                attributes: .init(isLocal: true)
            ),
            .stored(
                "opened",
                \Folder.opened,
                get: { $0._opened },
                set: { $0.opened = $1 },
                attributes: .init(isLocal: true)
            ),
            .stored(
                "favorite",
                \Folder.favorite,
                get: { $0._favorite },
                set: { $0.favorite = $1 },
                attributes: .init(isWeak: true)
            ),
            .stored(
                "target",
                \Folder.target,
                get: { $0._target },
                set: { $0.target = $1 },
                attributes: .init(minSyncInterval: 20)
            ),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_note)
        ModelTeardown.release(&_cursor)
        ModelTeardown.release(&_folders)
        ModelTeardown.release(&_link)
        ModelTeardown.release(&_canvases)
        ModelTeardown.release(&_pinned)
        ModelTeardown.release(&_opened)
        ModelTeardown.release(&_target)
    }
}

extension Folder: ModelObject {}
