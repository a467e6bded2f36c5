/// A reference that does not retain its object.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak var object: Object?

    init(_ object: Object? = nil) { self.object = object }
}
