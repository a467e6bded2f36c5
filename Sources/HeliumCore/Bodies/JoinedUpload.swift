package import HeliumEssentials
internal import Synchronization

extension UploadBody {
    /// A part of a body that is joined from several.
    package enum Segment: Sendable {
        case bytes(Data)
        case body(UploadBody)

        var length: Int64? {
            switch self {
            case .bytes(let data): Int64(data.count)
            case .body(let body): body.length
            }
        }
    }

    /// Creates a body from several segments in order. Its length is known if the length of every segment is known.
    package init(joining segments: [Segment]) {
        var total: Int64? = 0
        var isReplayable = true
        for segment in segments {
            total = total.flatMap { total in
                segment.length.flatMap { length in
                    let (sum, isOver) = total.addingReportingOverflow(length)
                    return isOver ? nil : sum
                }
            }
            if case .body(let body) = segment, !body.isReplayable { isReplayable = false }
        }
        self.init(length: total, isReplayable: isReplayable) { JoinedSource(segments) }
    }
}

/// Returns the segments' chunks and opens each body when it is reached.
private final class JoinedSource: UploadSource {
    private struct State {
        var position = 0
        var open: (source: any UploadSource, left: Int64?)?
        var isCancelled = false
    }

    private enum Step { case read(any UploadSource), give(Data), open(UploadBody), end }

    private let segments: [UploadBody.Segment]
    private let state = Guarded(State())

    init(_ segments: [UploadBody.Segment]) { self.segments = segments }

    func next() async throws -> Data? {
        while true {
            switch try step() {
            case .end: return nil
            case .give(let data):
                if !data.isEmpty { return data }
            case .open(let body):
                let source = try await body.open()
                let isCancelled = state.withLock { state in
                    state.open = (source, body.length)
                    return state.isCancelled
                }
                if isCancelled { source.cancel() }
            case .read(let source):
                if let chunk = try await take(from: source) { return chunk }
            }
        }
    }

    private func step() throws -> Step {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            if let open = state.open { return .read(open.source) }
            guard state.position < segments.count else { return .end }
            switch segments[state.position] {
            case .bytes(let data):
                state.position += 1
                return .give(data)
            case .body(let body): return .open(body)
            }
        }
    }

    /// Returns the next chunk of the open body, or `nil` at its end, and checks it against the announced length.
    private func take(from source: any UploadSource) async throws -> Data? {
        let chunk = try await source.next()
        let isRight = state.withLock { state in
            let left = state.open?.left.map { $0 - Int64(chunk?.count ?? 0) }
            guard chunk == nil else {
                state.open?.left = left
                return (left ?? 0) >= 0
            }
            state.open = nil
            state.position += 1
            return (left ?? 0) == 0
        }
        guard isRight else {
            source.cancel()
            throw UploadFailure("a part of the body does not have the announced size")
        }
        if chunk == nil { source.cancel() }
        return chunk
    }

    func cancel() {
        let source = state.withLock { state in
            state.isCancelled = true
            return state.open?.source
        }
        source?.cancel()
    }
}
