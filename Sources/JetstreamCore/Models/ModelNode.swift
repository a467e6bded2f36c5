public import Foundation
public import Observation

/// A model object's place in its tree, and the state of its observation and recording.
///
/// Each model object owns one. Accessors of a conformance call ``access(_:_:)`` and ``mutate(_:_:in:at:from:to:_:)``; all
/// else belongs to the trees.
public final class ModelNode {
    /// Facts that decide how much a change has to do.
    @usableFromInline
    struct Flags: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt16

        @inlinable
        init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Observers or a tree want to know of changes.
        @usableFromInline static let reports = Flags(rawValue: 1)
        /// The object is a part of its scope.
        static let isInScope = Flags(rawValue: 2)
        /// The server has the object, as far as this side knows.
        static let isKnown = Flags(rawValue: 4)
        /// The server had the object until a pending set, which the server may refuse, took it out of the tree.
        static let wasKnown = Flags(rawValue: 16)
        /// The object is being freed: its references are taken out without further notice.
        static let isTornDown = Flags(rawValue: 8)
        /// The node has an identifier.
        static let isIdentified = Flags(rawValue: 32)
        /// The key path that is read next is looked for.
        static let isProbed = Flags(rawValue: 64)
        /// The object is kept by its scope although nothing refers to it: Jetstream.md §4.3.
        static let isRetained = Flags(rawValue: 128)
        /// The object's class is unknown.
        static let isPlaceholder = Flags(rawValue: 256)
        /// The object, or one above it, has or had an observer of its tree.
        static let isTreeObserved = Flags(rawValue: 512)
        /// The object has left the scope, or its add was refused. Others may have brought it back, and sets that changed it may
        /// still be pending.
        static let isFormer = Flags(rawValue: 1024)
        /// The object refers or once referred to others.
        static let hasReferences = Flags(rawValue: 4096)
        /// While the object's add is pending, the server has told of it.
        static let isConfirmed = Flags(rawValue: 2048)
    }

    // Swift would check each access to these variables for overlapping ones, which takes longer than the accesses. None can
    // overlap: a node is used in the isolation of its object, and nothing here or elsewhere passes one of the variables to
    // code that could come back to the node (`inout` is used for the set operations of `flags` alone).

    @usableFromInline @exclusivity(unchecked) var flags: Flags = []

    /// The last search of the scope that came here.
    @exclusivity(unchecked) var mark: UInt32 = 0

    /// The scope's ``Scope/treeEpoch`` in which the observers above were last told of a change.
    @exclusivity(unchecked) var treeMark: UInt32 = 0

    /// The position in the scope's ``NodeTable``.
    @exclusivity(unchecked) var tableIndex = UInt32.max

    /// The observers of `Observation`, once the object was read.
    @usableFromInline @exclusivity(unchecked) var registrar: NodeRegistrar?

    @exclusivity(unchecked) private var identifier: UUID

    /// The object, from the time it is first observed or linked. It owns the node.
    @exclusivity(unchecked) unowned var model: (any ModelObject)?

    /// The scope that records changes: the one whose part the object is, or was earlier in this batch.
    var home: Scope? {
        get { homeReference?.takeUnretainedValue() }
        set { homeReference = newValue.map(Unmanaged.passUnretained) }
    }
    @exclusivity(unchecked) private var homeReference: Unmanaged<Scope>?

    /// The first of the parents, and the property of it that refers to this object, with the number of times that it does. Most
    /// objects have no others. The link of a parent that is gone counts as none.
    @exclusivity(unchecked) weak var firstParent: ModelNode?
    @exclusivity(unchecked) var firstParentProperty: Int32 = 0
    @exclusivity(unchecked) var firstParentCount: UInt32 = 0

    /// The other parents.
    @exclusivity(unchecked) var otherParents: OtherParents?

    /// While in a scope: the parent by which the object is reached from the root; `nil` for the root.
    var anchor: ModelNode? {
        get { anchorReference?.takeUnretainedValue() }
        set { anchorReference = newValue.map(Unmanaged.passUnretained) }
    }
    @exclusivity(unchecked) private var anchorReference: Unmanaged<ModelNode>?

    @exclusivity(unchecked) var observers: ObserverList?

    /// The changes that are not yet part of a change set.
    @exclusivity(unchecked) var pending: PendingChange?

    /// State that few objects have.
    @exclusivity(unchecked) var extras: NodeExtras?

    /// A node of an object, with a random identifier unless it gets one.
    public init() { identifier = .unassigned }

    /// Sets the identifier of an object that was just made. For the nil UUID it gets a random one, when that is first asked for.
    public func identify(_ uuid: UUID) {
        if uuid != .unassigned { setIdentifier(uuid) }
    }

    /// Sets the identifier, of whatever value: a peer's may be the nil UUID.
    func setIdentifier(_ uuid: UUID) {
        identifier = uuid
        flags.insert(.isIdentified)
    }

    /// The object's identifier.
    var uuid: UUID {
        if !flags.contains(.isIdentified) { identify() }
        return identifier
    }

    /// Gets a random identifier, unless there is one.
    func identify() {
        if flags.contains(.isIdentified) { return }
        // A scope asks the system for several at a time.
        setIdentifier(home?.randomIDs.next() ?? RandomIDs.one())
    }

    /// The words of the identifier that was set.
    var identifierWords: (UInt64, UInt64) { identifier.words }

    /// The scope whose part the object is.
    var scope: Scope? { flags.contains(.isInScope) ? home : nil }

    // Counting a reference takes longer than these answers.

    /// Whether the object is a part of a scope.
    var isInScope: Bool { flags.contains(.isInScope) }

    /// Whether the object is a part of that scope.
    func isIn(_ scope: Scope) -> Bool { flags.contains(.isInScope) && isAt(scope) }

    /// Whether that scope is ``home``.
    func isAt(_ scope: Scope) -> Bool { homeReference?.toOpaque() == Unmanaged.passUnretained(scope).toOpaque() }

    /// Whether there is an anchor.
    var hasAnchor: Bool { anchorReference != nil }

    /// Whether ``home`` is applying a peer's changes.
    var isApplying: Bool { homeReference?._withUnsafeGuaranteedRef { $0.isApplying } ?? false }

    /// Remembers the object that owns the node.
    func bind(_ model: any ModelObject) {
        if self.model == nil { self.model = model }
    }

    func schema(of model: any ModelObject) -> ModelSchema { type(of: model).modelSchema }
}

/// The observers of an object. A class, because the size of `ObservationRegistrar` is only known when the program runs: each
/// access to a variable of a node would ask for it.
@usableFromInline
final class NodeRegistrar {
    @usableFromInline let registrar = ObservationRegistrar()

    init() {}
}

extension UUID {
    /// The nil UUID (RFC 9562 section 5.9), which stands for none.
    static let unassigned = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

// MARK: Accessors

extension ModelNode {
    /// Notes that a property is read.
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

    /// Sets a property if the value is another, records the change and reports it.
    ///
    /// - Parameters:
    ///   - model: The object that owns the node.
    ///   - keyPath: The property, as its declaring class has it.
    ///   - schema: The declaring class's schema.
    ///   - ordinal: Which of the properties that class itself declares.
    ///   - old: The value there is.
    ///   - new: The value to be.
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
