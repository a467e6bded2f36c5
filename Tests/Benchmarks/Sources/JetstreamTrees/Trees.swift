import JetstreamCore

/// Trees of a given number of objects, each with up to 100 below it.
enum Trees {
    private static let width = 100

    static func plain(_ count: Int) -> PlainNode { tree(count, make: PlainNode.init) { $0.nodes = $1 } }

    static func models(_ count: Int) -> Node { tree(count, make: { Node() }) { $0.nodes = $1 } }

    /// A scope that holds the models. Nothing is sent: what is set is not recorded.
    static func scope(_ root: Node) -> Scope {
        let scope = Scope(name: "Nodes")
        scope.isRecording = false
        scope.setRoot(root)
        return scope
    }

    /// The fragments of a scope whose root was given the models while it recorded.
    static func recorded(_ model: Node) -> [SyncFragment] {
        let root = Node()
        let scope = Scope(name: "Nodes", root: root)
        root.nodes = [model]
        return scope.getAndClearSyncFragments()
    }

    private static func tree<Object>(
        _ count: Int,
        make: () -> Object,
        connect: (Object, [Object]) -> Void
    ) -> Object {
        let root = make()
        var parents = [root]
        var left = count - 1
        while left > 0 {
            var next: [Object] = []
            for parent in parents where left > 0 {
                let below = (0..<min(width, left)).map { _ in make() }
                connect(parent, below)
                next += below
                left -= below.count
            }
            parents = next
        }
        return root
    }
}
