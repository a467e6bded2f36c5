/// An object that was moved within an array.
public struct ModelMove<Object> {
    /// The object.
    public let object: Object
    /// The position before the move.
    public let from: Int
    /// The position after the move.
    public let to: Int
}

/// The order of an array's objects when it was last read, and the current order if it differs.
final class ArrayOrder<Object>: ModelChangeState<[ModelMove<Object>]> {
    private var read: [any ModelObject]
    /// The current order; `nil` while no object of ``read`` was moved.
    private var current: [any ModelObject]?

    init(_ objects: [any ModelObject]) { read = objects }

    func note(_ objects: [any ModelObject]) {
        if current == nil, moves(to: objects).isEmpty {
            // This releases objects that have left.
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
