/// The reference of nodes to their scope. It outlives the scope, so that a node that the app still has is safe to use even if
/// the scope has forgotten it.
final class ScopeReference {
    // Only the scope sets these: its initializer and its deinitializer. So the reference never dangles, and reading it
    // costs less than reading a weak one.
    @exclusivity(unchecked) private var unmanaged: Unmanaged<Scope>?

    /// Whether the scope is applying changes of a peer. It is read for each change, without reading the scope.
    @exclusivity(unchecked) var isApplying = false

    /// Whether the scope calls observers later. It is read for each change of an observed object.
    @exclusivity(unchecked) var holdsEvents = false

    /// The scope; `nil` after it was freed.
    var scope: Scope? { unmanaged?.takeUnretainedValue() }

    func scopeWasMade(_ scope: Scope) { unmanaged = Unmanaged.passUnretained(scope) }

    func scopeIsFreed() {
        unmanaged = nil
        (isApplying, holdsEvents) = (false, false)
    }
}
