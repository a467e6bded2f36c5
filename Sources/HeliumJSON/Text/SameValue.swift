/// Compares values whose texts come from a peer.
package enum SameValue {
    /// Returns whether two values are equal, in time that is linear in their size.
    ///
    /// The `==` of a type with strings compares them by canonical equivalence: see ``ByteText``. Therefore, the JSON of
    /// the values is compared first. Values whose JSON differs may still be equal, for example with members in another
    /// order. Then `==` decides, unless a text has so many combining marks in a row that it would take too long. Such
    /// values count as different.
    package static func areSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
        guard let first = left as? any Encodable, let second = right as? any Encodable,
            let first = text(of: first), let second = text(of: second)
        else { return left == right }
        if first.hasSameBytes(as: second) { return true }
        return !first.isSlowToCompare && !second.isSlowToCompare && left == right
    }

    private static func text(of value: some Encodable) -> String? {
        (try? HeliumJSONEncoder().encodeToBytes(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}
