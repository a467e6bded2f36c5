/// An object that is only used on one actor. Both are held weakly, so that an actor that owns its models can be released
/// while tasks and observers wait.
///
/// `@unchecked Sendable`: the object is accessed on the actor only. The references are constant.
struct ActorBound<Object: AnyObject>: @unchecked Sendable {
    private weak let actor: (any Actor)?
    private weak let object: Object?

    /// Creates a reference to an object in the isolation of the calling actor.
    init(_ object: Object, isolation: isolated any Actor) {
        actor = isolation
        self.object = object
    }

    /// Calls `body` with the object on the actor.
    ///
    /// - Returns: The result; `nil` if the actor or the object was released.
    func run<Result: Sendable>(_ body: @Sendable (Object) -> Result) async -> Result? {
        guard let actor else { return nil }
        return await run(on: actor, body)
    }

    private func run<Result: Sendable>(
        on isolation: isolated any Actor,
        _ body: @Sendable (Object) -> Result
    ) -> Result? {
        object.map(body)
    }

    /// Calls `body` with the object in a later turn of the actor, on which the caller must run. Only the task of that
    /// turn retains the actor and the object.
    func runLater(_ body: @escaping @Sendable (Object) -> Void) {
        guard let actor else { return }
        // A task that starts on the actor keeps its place among the actor's other tasks.
        actor.assumeIsolated { isolation in
            guard let object else { return }
            Task {
                _ = isolation
                body(object)
            }
        }
    }
}
