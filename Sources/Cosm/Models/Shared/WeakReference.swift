/// A reference that keeps nothing alive.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak var object: Object?

    init(_ object: Object? = nil) { self.object = object }
}
