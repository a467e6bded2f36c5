import JetstreamCore

/// A model with a reference that is delayed, a local one and a weak one.
final class Panel {
    private var _name: String = ""
    var name: String {
        get {
            modelNode.access(self, \Panel.name)
            return _name
        }
        set {
            modelNode.mutate(self, \Panel.name, in: Panel.modelSchema, at: 0, from: _name, to: newValue) {
                _name = newValue
            }
        }
    }

    private var _panels: [Panel] = []
    var panels: [Panel] {
        get {
            modelNode.access(self, \Panel.panels)
            return _panels
        }
        set {
            modelNode.mutate(self, \Panel.panels, in: Panel.modelSchema, at: 1, from: _panels, to: newValue) {
                _panels = newValue
            }
        }
    }

    private var _focus: Panel?
    var focus: Panel? {
        get {
            modelNode.access(self, \Panel.focus)
            return _focus
        }
        set {
            modelNode.mutate(self, \Panel.focus, in: Panel.modelSchema, at: 2, from: _focus, to: newValue) {
                _focus = newValue
            }
        }
    }

    private var _pinned: Panel?
    var pinned: Panel? {
        get {
            modelNode.access(self, \Panel.pinned)
            return _pinned
        }
        set {
            modelNode.mutate(self, \Panel.pinned, in: Panel.modelSchema, at: 3, from: _pinned, to: newValue) {
                _pinned = newValue
            }
        }
    }

    private weak var _partner: Panel?
    var partner: Panel? {
        get {
            modelNode.access(self, \Panel.partner)
            return _partner
        }
        set {
            modelNode.mutate(self, \Panel.partner, in: Panel.modelSchema, at: 4, from: _partner, to: newValue) {
                _partner = newValue
            }
        }
    }

    static let modelSchema = ModelSchema("Panel", of: Panel.self) {
        [
            .stored("name", \Panel.name, get: { $0._name }, set: { $0.name = $1 }),
            .stored("panels", \Panel.panels, get: { $0._panels }, set: { $0.panels = $1 }),
            .stored(
                "focus",
                \Panel.focus,
                get: { $0._focus },
                set: { $0.focus = $1 },
                attributes: .init(minSyncInterval: 0.05)
            ),
            .stored(
                "pinned",
                \Panel.pinned,
                get: { $0._pinned },
                set: { $0.pinned = $1 },
                attributes: .init(isLocal: true)
            ),
            .stored(
                "partner",
                \Panel.partner,
                get: { $0._partner },
                set: { $0.partner = $1 },
                attributes: .init(isWeak: true)
            ),
        ]
    }

    let modelNode = ModelNode()

    init(uuid: ModelID) { modelNode.identify(uuid) }

    deinit {
        ModelTeardown.release(&_name)
        ModelTeardown.release(&_panels)
        ModelTeardown.release(&_focus)
        ModelTeardown.release(&_pinned)
    }
}

extension Panel: ModelObject {}
