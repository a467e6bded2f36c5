public import Foundation
public import HeliumJSON

/// The creation of an object, or a change of its properties: the unit of states and syncs
/// (Docs/Protocols/Jetstream.md §2.1).
///
/// There is no fragment for a removal: an object is removed when no property of an object in the scope refers to it.
public struct SyncFragment: Sendable, Hashable {
    /// The action on the object.
    public enum Kind: String, Sendable, Hashable {
        /// The object is created. A client treats an add of a known object as a change.
        case add
        /// Properties of a known object are set.
        case change
    }

    /// The action on the object.
    public var kind: Kind
    /// The identifier of the object, in lower case on the wire.
    public var uuid: UUID
    /// The class of the object, without a module name.
    public var className: String
    /// The properties by their names on the wire. They may be empty, but are always sent
    /// (Docs/Protocols/Jetstream.md §1.9).
    ///
    /// The properties of a received fragment are read from its frame each time, and the fragment retains the frame
    /// until they are set. If the fragments of a message are a small part of a large frame, they are copied and do not
    /// retain the frame. The properties of ``Scope/stateFragments`` are assembled each time.
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
            // Prevents a copy while it is changed.
            storage = .made([:])
            defer { storage = .made(object) }
            yield &object
        }
    }

    /// The form in which the properties are stored.
    enum Properties: Sendable {
        case made(JSONObject)
        /// The values of a class's properties, in the order of the class. `null` values are left out.
        case values([JSONValue], PropertyNames)
        /// The properties in a frame.
        case parsed(ParsedObject)
    }

    private(set) var storage: Properties

    /// Creates a fragment.
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
    /// The size of the frame that the fragment retains, in bytes.
    var heldBytes: Int {
        if case .parsed(let object) = storage { object.documentByteCount } else { 0 }
    }

    /// The fragment with copied properties, without a frame, for fragments that are kept individually.
    var withoutFrame: SyncFragment {
        var copy = self
        if case .parsed(let object) = storage { copy.storage = .made(object.object) }
        return copy
    }

    /// Returns the fragments of one message, without their frame if they are less than a quarter of it, unless the
    /// frame is small.
    ///
    /// Messages wait between a frame and the tree, in a pause or for a slow reader. This limits their memory to a small
    /// multiple of their own size, regardless of the other content of the frame.
    static func keepingLittle(_ fragments: [SyncFragment]) -> [SyncFragment] {
        var own = 0
        for fragment in fragments {
            guard case .parsed(let object) = fragment.storage else { continue }
            own += object.byteCount
            // All belong to one frame.
            let held = object.documentByteCount
            if held <= 4096 || own >= held / 4 { return fragments }
        }
        return fragments.map(\.withoutFrame)
    }
}

extension SyncFragment {
    /// Returns whether two fragments have the same parts. The order of the properties does not matter.
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
