internal import NIOCore
internal import NIOHTTP1

/// The types of which a server's event loops must not be the first users.
///
/// The runtime of Swift 5.5 to 6.3 can end the process when two threads at once are the first to use a generic type, one of
/// whose arguments is a generic class that has to conform to a protocol. While one of them completes the class, the other
/// looks for the conformance in its superclass, which it does not have (`getSuperclassForMaybeIncompleteMetadata` in
/// `ProtocolConformance.cpp`). So a server that got its first connections at the same time could end.
enum PreparedTypes {
    /// The types. The first access makes them, on one thread.
    static let all: [Any.Type] = [ByteToMessageHandler<HTTPRequestDecoder>.self]
}
