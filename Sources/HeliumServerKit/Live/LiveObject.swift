/// An object for a live client, in parts that are written one after the other.
///
/// Connections that get the same document share its bytes, and each adds its own before and after it.
package struct LiveObject: Hashable, Sendable {
    package let parts: [[UInt8]]
    /// The number of bytes of all parts.
    package let count: Int

    package init(_ bytes: [UInt8]) { self.init(parts: [bytes]) }

    package init(parts: [[UInt8]]) {
        self.parts = parts
        count = parts.reduce(0) { $0 + $1.count }
    }

    /// The bytes of all parts.
    package var bytes: [UInt8] { parts.count == 1 ? parts[0] : Array(parts.joined()) }
}
