public import Foundation
public import HeliumJSON

/// An object's creation, or a change of its properties: the unit of states and syncs (Docs/Protocols/Jetstream.md §2.1).
///
/// There is no fragment for a removal: an object is gone when no property of an object in the scope refers to it.
public struct SyncFragment: Sendable, Hashable {
    /// The action on the object.
    public enum Kind: String, Sendable, Hashable {
        /// The object is made. For a known object, a client takes it as a change.
        case add
        /// Properties of a known object are set.
        case change
    }

    /// The action on the object.
    public var kind: Kind
    /// The object's identifier. On the wire it is lower case.
    public var uuid: UUID
    /// The object's class, without a module's name.
    public var className: String
    /// The properties by their names on the wire. May be empty, but is always sent (Jetstream.md §1.9).
    ///
    /// Those of a fragment that was received are read from its frame each time, and the fragment keeps the frame until they are
    /// set. Where the fragments of a message make up little of a large frame, they are copied and keep nothing. Those of
    /// ``Scope/stateFragments`` are put together each time.
    public var properties: JSONObject {
        get {
            switch storage {
            case .made(let object): object
            case .values(let values, let names): names.object(values)
            case .parsed(let object): object.object
            }
        }
        set { storage = .made(newValue) }
        _modify {
            var object = properties
            // Not held twice while it is changed.
            storage = .made([:])
            defer { storage = .made(object) }
            yield &object
        }
    }

    /// The form in which the properties are kept.
    enum Properties: Sendable {
        case made(JSONObject)
        /// The values of a class's properties, in its order. Those that are `null` are left out.
        case values([JSONValue], PropertyNames)
        /// As they stand in the frame.
        case parsed(ParsedObject)
    }

    private(set) var storage: Properties

    /// A fragment of these parts.
    public init(_ kind: Kind, uuid: UUID, className: String, properties: JSONObject = [:]) {
        self.init(kind, uuid: uuid, className: className, storage: .made(properties))
    }

    init(_ kind: Kind, uuid: UUID, className: String, storage: Properties) {
        self.kind = kind
        self.uuid = uuid
        self.className = className
        self.storage = storage
    }
}

// MARK: Frames

extension SyncFragment {
    /// The size of the frame that the fragment keeps, in bytes.
    var heldBytes: Int {
        if case .parsed(let object) = storage { object.documentByteCount } else { 0 }
    }

    /// The fragment with its properties copied: it keeps no frame. For those that are kept one by one.
    var withoutFrame: SyncFragment {
        var copy = self
        if case .parsed(let object) = storage { copy.storage = .made(object.object) }
        return copy
    }

    /// Fragments of one message that keep no frame of which they make up less than a quarter, unless it is small.
    ///
    /// Between a frame and the tree, messages wait: in a pause, or while a reader is slow. So they keep no more than some times
    /// their own size, whatever else a peer puts into the frame.
    static func keepingLittle(_ fragments: [SyncFragment]) -> [SyncFragment] {
        var (own, held) = (0, 0)
        for fragment in fragments {
            guard case .parsed(let object) = fragment.storage else { continue }
            own += object.byteCount
            held = object.documentByteCount
        }
        return held > 4096 && own < held / 4 ? fragments.map(\.withoutFrame) : fragments
    }
}

extension SyncFragment {
    /// Whether two fragments have the same parts, with the properties in whatever order.
    public static func == (left: SyncFragment, right: SyncFragment) -> Bool {
        left.kind == right.kind && left.uuid == right.uuid && left.className == right.className
            && left.properties == right.properties
    }

    /// Hashes the parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(uuid)
        hasher.combine(className)
        hasher.combine(properties)
    }
}
