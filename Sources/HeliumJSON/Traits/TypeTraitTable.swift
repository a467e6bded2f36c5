internal import Synchronization

/// The traits of the types that a decoder or encoder has seen. Asking the runtime for a conformance costs more than
/// decoding a short value.
///
/// It is a hash table with 128 places, each of which is set at most once. If all places near a type's own are in use,
/// the trait of the type is determined again each time.
///
/// `@unchecked Sendable`: the places are atomic. The entries are complete before they are published, never changed
/// after that, and freed with the table.
final class TypeTraitTable<Trait: BitwiseCopyable>: @unchecked Sendable {
    private struct Entry {
        let type: ObjectIdentifier
        let trait: Trait
    }

    private typealias Place = Atomic<UnsafeMutablePointer<Entry>?>

    private static var count: Int { 128 }
    private let places: UnsafeMutablePointer<Place>

    init() {
        places = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (places + index).initialize(to: Place(nil)) }
    }

    deinit {
        for index in 0..<Self.count { places[index].load(ordering: .acquiring)?.deallocate() }
        places.deinitialize(count: Self.count)
        places.deallocate()
    }

    /// Returns the trait of `type`. `make` determines it on the first call.
    @inline(__always)
    func trait(of type: Any.Type, _ make: () -> Trait) -> Trait {
        let id = ObjectIdentifier(type)
        let place = Self.place(of: id)
        if let entry = places[place].load(ordering: .acquiring), entry.pointee.type == id { return entry.pointee.trait }
        return find(id, from: place, make)
    }

    @inline(never)
    private func find(_ id: ObjectIdentifier, from first: Int, _ make: () -> Trait) -> Trait {
        var made: UnsafeMutablePointer<Entry>?
        for offset in 0..<8 {
            let place = (first &+ offset) & (Self.count &- 1)
            var found = places[place].load(ordering: .acquiring)
            if found == nil {
                let entry = made ?? .allocate(capacity: 1)
                if made == nil { entry.initialize(to: Entry(type: id, trait: make())) }
                let exchange = places[place].compareExchange(
                    expected: nil,
                    desired: entry,
                    ordering: .acquiringAndReleasing
                )
                if exchange.exchanged { return entry.pointee.trait }
                made = entry
                found = exchange.original
            }
            if let found, found.pointee.type == id {
                made?.deallocate()
                return found.pointee.trait
            }
        }
        made?.deallocate()
        return make()
    }

    /// Returns the highest bits of a product with the golden ratio, because the addresses of types differ in few other
    /// bits.
    @inline(__always)
    private static func place(of id: ObjectIdentifier) -> Int {
        Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15) &>> 57)
    }
}
