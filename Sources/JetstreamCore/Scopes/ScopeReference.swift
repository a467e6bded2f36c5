/// The reference of nodes to their scope. It outlives the scope, so that a node that the app still has is safe to use even if
/// the scope has forgotten it.
final class ScopeReference {
    // Only the scope sets these: its initializer and its deinitializer. So the reference never dangles, and reading it
    // costs less than reading a weak one.
    @exclusivity(unchecked) private var unmanaged: Unmanaged<Scope>?

    /// The same for ``formerScope``.
    @exclusivity(unchecked) private var unmanagedFormer: Unmanaged<Scope>?

    /// Whether the scope is applying changes of a peer. It is read for each change, without reading the scope.
    @exclusivity(unchecked) var isApplying = false

    /// Whether the scope calls observers later. It is read for each change of an observed object.
    @exclusivity(unchecked) var holdsEvents = false

    /// The scope; `nil` after it was freed.
    var scope: Scope? { unmanaged?.takeUnretainedValue() }

    /// The scope that the object has left; `nil` while the object has a scope, and after that one was freed.
    var formerScope: Scope? { unmanagedFormer?.takeUnretainedValue() }

    func scopeWasMade(_ scope: Scope, isFormer: Bool = false) {
        let pointer = Unmanaged.passUnretained(scope)
        if isFormer { unmanagedFormer = pointer } else { unmanaged = pointer }
    }

    func scopeIsFreed() {
        (unmanaged, unmanagedFormer) = (nil, nil)
        (isApplying, holdsEvents) = (false, false)
    }
}
