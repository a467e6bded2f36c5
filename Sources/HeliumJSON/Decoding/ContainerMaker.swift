/// A class that creates the keyed containers for keys of one type. It has no instances.
///
/// A generic function that creates a `KeyedTapeContainer<Key>` makes the runtime look up that type and its conformance
/// each time, which takes longer than decoding a member. In a method of a generic class, they are parts of the class.
/// Therefore, ``TapeContainerMaker`` has the type of the container as its parameter, and is looked up once for each type
/// of keys.
class AnyContainerMaker {
    /// The classes by the type of their keys.
    static let all = TypeTraitTable<ContainerTrait>()
}

/// The class that creates the containers for a type of keys: a subclass of `ContainerMaker<Key>`.
struct ContainerTrait {
    let maker: AnyContainerMaker.Type
}

class ContainerMaker<Key: CodingKey>: AnyContainerMaker {
    class func container(_ document: JSONDocument, object: Int) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedTapeContainer<Key>(document: document, object: object))
    }
}

final class TapeContainerMaker<Container: TapeContainer>: ContainerMaker<Container.Key> {
    override class func container(_ document: JSONDocument, object: Int) -> KeyedDecodingContainer<Container.Key> {
        KeyedDecodingContainer(Container(document: document, object: object))
    }
}

/// A container for the members of an object on the tape.
protocol TapeContainer: KeyedDecodingContainerProtocol {
    init(document: JSONDocument, object: Int)
}

extension JSONDocument {
    /// Returns the members of the object at `index`, or throws if the value is not an object.
    func container<Key: CodingKey>(keyedBy type: Key.Type, at index: Int) throws -> KeyedDecodingContainer<Key> {
        guard word(index).kind == .object else { throw mismatch([String: Any].self, at: index) }
        let trait = AnyContainerMaker.all.trait(of: type) {
            ContainerTrait(maker: TapeContainerMaker<KeyedTapeContainer<Key>>.self)
        }
        // The class for `Key` is a subclass of this one.
        let maker = unsafeBitCast(trait.maker, to: ContainerMaker<Key>.Type.self)
        return maker.container(self, object: index)
    }
}
