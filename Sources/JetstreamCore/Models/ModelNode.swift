public import Foundation
public import Observation

/// The position of a model object in its tree, and the state of its observation and recording.
///
/// Each model object owns one node. Accessors of a conformance call ``access(_:_:)`` and
/// ``mutate(_:_:in:at:from:to:_:)``. Everything else is used by the trees.
public final class ModelNode {
    /// Properties that determine the work for a change.
    @usableFromInline
    struct Flags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt32

        @inlinable
        init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Observers or a tree must be notified of changes.
        @usableFromInline static let reports = Flags(rawValue: 1)
        /// The object belongs to its scope.
        static let isInScope = Flags(rawValue: 2)
        /// The server has the object, as far as this side knows.
        static let isKnown = Flags(rawValue: 4)
        /// The server had the object until a pending set, which may still be rejected, removed it from the tree.
        static let wasKnown = Flags(rawValue: 16)
        /// The object is being freed. Its references are removed without notifications.
        static let isTornDown = Flags(rawValue: 8)
        /// The node has an identifier.
        static let isIdentified = Flags(rawValue: 32)
        /// The next key path that is read is being resolved.
        static let isProbed = Flags(rawValue: 64)
        /// The scope keeps the object although nothing refers to it (Docs/Protocols/Jetstream.md §4.3).
        static let isRetained = Flags(rawValue: 128)
        /// The object's class is unknown.
        static let isPlaceholder = Flags(rawValue: 256)
        /// The object, or one above it, has or had an observer of its tree.
        static let isTreeObserved = Flags(rawValue: 512)
        /// The object left the scope, or its add was rejected. Others may have restored it, and sets that changed it
        /// may still be pending.
        static let isFormer = Flags(rawValue: 1024)
        /// The object refers, or once referred, to other objects.
        static let hasReferences = Flags(rawValue: 4096)
        /// The server sent the object while its add was still pending.
        static let isConfirmed = Flags(rawValue: 2048)
        /// A property that only the tree or only the server counts, a local or a weak one, refers or once referred to
        /// other objects.
        static let hasOneSidedReferences = Flags(rawValue: 8192)
        /// The server has the object, but the tree does not: only weak properties lead to it. The scope retains it.
        static let isLinkedWeakly = Flags(rawValue: 16384)
        /// The object is in the scope's list of objects that lost a link in this batch.
        static let isDoubtful = Flags(rawValue: 32768)
        /// The node has a reference to its object.
        static let isBound = Flags(rawValue: 65536)
        /// The anchor is not the first parent.
        static let hasOtherAnchor = Flags(rawValue: 131072)
    }

    // Swift would check each access to these variables for exclusivity, which takes longer than the accesses. Accesses
    // cannot overlap: a node is used in the isolation of its object, and no variable is passed to code that could
    // access the node (`inout` is only used for the set operations of `flags`).

    @usableFromInline @exclusivity(unchecked) var flags: Flags = []

    /// The number of the last search of the scope that reached this node.
    @exclusivity(unchecked) var mark: UInt32 = 0

    /// The scope's ``Scope/treeEpoch`` in which the observers above were last notified.
    @exclusivity(unchecked) var treeMark: UInt32 = 0

    /// The position in the scope's ``NodeTable``.
    @exclusivity(unchecked) var tableIndex = UInt32.max

    /// The observers of `Observation`; `nil` until the object is first read.
    @usableFromInline @exclusivity(unchecked) var registrar: NodeRegistrar?

    @exclusivity(unchecked) private var identifier: UUID

    /// The object, set when it is first observed or linked. It owns the node.
    @exclusivity(unchecked) unowned var model: (any ModelObject)?

    /// The object again, from its first reference to another one on. A weak reference has a cost for each object, so that
    /// objects that refer to nothing have none.
    @exclusivity(unchecked) private weak var witness: AnyObject?

    /// The object, for code that follows a link from below; `nil` if it is being freed or was freed. Such code may run in
    /// the deinitializer of an object below, in which reading ``model`` would trap.
    var livingModel: (any ModelObject)? {
        if flags.contains(.isTornDown) { return nil }
        return witness.flatMap { _ in model }
    }

    /// Notes that the object refers to others.
    func noteReferences(of model: any ModelObject) {
        if flags.contains(.hasReferences) { return }
        flags.insert(.hasReferences)
        witness = model
    }

    /// The scope that records changes: the one that the object belongs to, or belonged to earlier in this batch.
    var home: Scope? {
        get { homeReference?.scope }
        set { homeReference = newValue?.reference }
    }
    @exclusivity(unchecked) private var homeReference: ScopeReference?

    /// The scope that the object, or one above it, has left; `nil` if the object has a scope or never had one.
    var formerHome: Scope? { homeReference?.formerScope }

    /// Replaces ``home`` by ``formerHome``.
    func setFormerHome(_ scope: Scope) { homeReference = scope.formerReference }

    /// The first parent, its property that refers to this object, and the number of references. Most objects have no
    /// other parents. The link of a deallocated parent does not count.
    @exclusivity(unchecked) weak var firstParent: ModelNode?
    @exclusivity(unchecked) var firstParentProperty: Int32 = 0
    @exclusivity(unchecked) var firstParentCount: UInt32 = 0

    /// The address of ``firstParent``, which may have been freed. Comparing it is much faster than reading the parent.
    @exclusivity(unchecked) var firstParentIdentity: ObjectIdentifier?

    /// The other parents.
    @exclusivity(unchecked) var otherParents: OtherParents?

    /// The parent through which the object is reached from the root of its scope; `nil` for the root and outside a
    /// scope, and when the parent was freed.
    var anchor: ModelNode? {
        get {
            guard let anchorIdentity else { return nil }
            return anchorIdentity == firstParentIdentity ? firstParent : otherAnchor
        }
        set {
            anchorIdentity = newValue.map(ObjectIdentifier.init)
            // Mostly the anchor is the first parent, so that there is no second weak reference.
            let other = anchorIdentity == firstParentIdentity ? nil : newValue
            if other != nil || flags.contains(.hasOtherAnchor) { setOtherAnchor(other) }
        }
    }
    /// The address of the anchor, which may have been freed.
    @exclusivity(unchecked) private var anchorIdentity: ObjectIdentifier?
    /// The anchor, if it is not the first parent.
    @exclusivity(unchecked) private weak var otherAnchor: ModelNode?

    private func setOtherAnchor(_ node: ModelNode?) {
        otherAnchor = node
        if node == nil { flags.remove(.hasOtherAnchor) } else { flags.insert(.hasOtherAnchor) }
    }

    /// Keeps the anchor when the first parent, which may be the anchor, is replaced.
    func keepAnchor(_ parent: ModelNode) {
        if isAnchored(by: parent) { setOtherAnchor(parent) }
    }

    @exclusivity(unchecked) var observers: ObserverList?

    /// The changes that do not belong to a change set yet.
    @exclusivity(unchecked) var pending: PendingChange?

    /// Rarely needed state.
    @exclusivity(unchecked) var extras: NodeExtras?

    /// Creates a node. Its identifier is random unless one is set.
    public init() { identifier = .unassigned }

    deinit { extras?.ownScope?.rootWasFreed() }

    /// Sets the identifier of a newly created object. For the nil UUID, a random identifier is generated when it is
    /// first needed.
    public func identify(_ uuid: UUID) {
        if uuid.words != (0, 0) { setIdentifier(uuid) }
    }

    /// Sets the identifier to any value. A peer may send the nil UUID.
    func setIdentifier(_ uuid: UUID) {
        identifier = uuid
        flags.insert(.isIdentified)
    }

    /// The object's identifier.
    var uuid: UUID {
        if !flags.contains(.isIdentified) { identify() }
        return identifier
    }

    /// Generates a random identifier if there is none.
    func identify() {
        if flags.contains(.isIdentified) { return }
        // A scope requests several identifiers from the system at a time.
        setIdentifier(home?.randomIDs.next() ?? RandomIDs.one())
    }

    /// The identifier as two words.
    var identifierWords: (UInt64, UInt64) { identifier.words }

    /// The scope that the object belongs to.
    var scope: Scope? { flags.contains(.isInScope) ? home : nil }

    // These properties avoid reference counting, which would take longer than they do.

    /// Whether the object belongs to a scope.
    var isInScope: Bool { flags.contains(.isInScope) }

    /// Returns whether the object belongs to a scope.
    func isIn(_ scope: Scope) -> Bool { flags.contains(.isInScope) && isAt(scope) }

    /// Returns whether a scope is ``home``.
    func isAt(_ scope: Scope) -> Bool { homeReference === scope.reference }

    /// Whether the node has an anchor.
    var hasAnchor: Bool { anchorIdentity != nil }

    /// Returns whether a node is the anchor.
    func isAnchored(by node: ModelNode) -> Bool { anchorIdentity == ObjectIdentifier(node) }

    /// Whether ``home`` is applying changes of a peer.
    var isApplying: Bool { homeReference?.isApplying ?? false }

    /// Whether ``home`` calls observers later.
    private var isHomeHoldingEvents: Bool { homeReference?.holdsEvents ?? false }

    /// The scope that calls the observers later; `nil` if they are called at once.
    var eventHolder: Scope? { extras?.eventHolder ?? (isHomeHoldingEvents ? home : nil) }

    /// Whether there is an ``eventHolder``.
    var hasEventHolder: Bool { isHomeHoldingEvents || extras?.eventHolder != nil }

    /// Stores the object that owns the node.
    func bind(_ model: any ModelObject) {
        // Reading the unowned reference would count it.
        if flags.contains(.isBound) { return }
        flags.insert(.isBound)
        self.model = model
    }

    func schema(of model: any ModelObject) -> ModelSchema { type(of: model).modelSchema }
}

/// The observers of an object. It is a class because the size of `ObservationRegistrar` is only known at run time: as a
/// stored property, it would slow down each access to a node.
@usableFromInline
final class NodeRegistrar {
    @usableFromInline let registrar = ObservationRegistrar()

    init() {}
}

extension UUID {
    /// The nil UUID (RFC 9562 §5.9), used for an object without an identifier.
    static let unassigned = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

// MARK: Accessors

extension ModelNode {
    /// Records a read of a property.
    @inlinable
    public func access<Model: ModelObject, Value>(
        _ model: Model,
        _ keyPath: @autoclosure () -> KeyPath<Model, Value>
    ) {
        if let registrar {
            registrar.registrar.access(model, keyPath: keyPath())
        } else {
            makeRegistrar(keyPath())?.registrar.access(model, keyPath: keyPath())
        }
    }

    /// Sets a property if the value differs, records the change and reports it.
    ///
    /// - Parameters:
    ///   - model: The object that owns the node.
    ///   - keyPath: The property's key path in its declaring class.
    ///   - schema: The schema of the declaring class.
    ///   - ordinal: The index of the property among those that the class itself declares.
    ///   - old: The current value.
    ///   - new: The new value.
    ///   - store: Stores the new value.
    @inlinable
    public func mutate<Model: ModelObject, Value: ModelValue>(
        _ model: Model,
        _ keyPath: @autoclosure () -> KeyPath<Model, Value>,
        in schema: @autoclosure () -> ModelSchema,
        at ordinal: Int,
        from old: Value,
        to new: Value,
        _ store: () -> Void
    ) {
        if Value.isSame(old, new) { return }
        if let registrar {
            let keyPath = keyPath()
            registrar.registrar.willSet(model, keyPath: keyPath)
            store()
            registrar.registrar.didSet(model, keyPath: keyPath)
        } else {
            store()
        }
        if Value.holdsModels {
            let difference = Value.modelDifference(from: old, to: new)
            report(model, schema(), ordinal, difference) { old.modelJSON($0) }
        } else if flags.contains(.reports) {
            report(model, schema(), ordinal, .none) { old.modelJSON($0) }
        }
    }
}
