/// An object that was moved within an array.
public struct ModelMove<Object> {
    /// The object.
    public let object: Object
    /// Its place before.
    public let from: Int
    /// Its place after.
    public let to: Int
}

/// The order of an array's objects when it was last read, and now if it is another.
final class ArrayOrder<Object>: ModelChangeState<[ModelMove<Object>]> {
    private var read: [any ModelObject]
    /// The order now; `nil` while nothing of ``read`` was moved.
    private var current: [any ModelObject]?

    init(_ objects: [any ModelObject]) { read = objects }

    func note(_ objects: [any ModelObject]) {
        if current == nil, moves(to: objects).isEmpty {
            // Objects that have left are not kept.
            read = objects
            return
        }
        current = objects
        signal()
    }

    override func take() -> [ModelMove<Object>]? {
        guard let current else { return nil }
        let moves = moves(to: current).compactMap { move in
            (move.object as? Object).map { ModelMove(object: $0, from: move.from, to: move.to) }
        }
        (read, self.current) = (current, nil)
        return moves.isEmpty ? nil : moves
    }

    private func moves(to objects: [any ModelObject]) -> [ArrayMoves.Move] {
        ArrayMoves.moves(in: .between(read, objects))
    }
}
