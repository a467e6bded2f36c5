import HeliumCore
import HeliumWire
import Testing

/// The events of a reader that gets its input in pieces, as texts. The data of a body is one event.
struct ReaderRun: Equatable {
    var events: [String] = []
    /// The header section of the last final response.
    var section = ""
    /// The number of bytes that no response took.
    var rest = 0

    /// The end of the peer's bytes.
    enum Ending { case none, plain, tls, cutTLS }

    /// Reads the responses to requests with these methods.
    init(
        _ input: [UInt8],
        cuts: [Int] = [],
        methods: [String] = ["GET"],
        limits: ResponseLimits = ResponseLimits(),
        ending: Ending = .none
    ) {
        var reader = HTTP1Reader()
        let head = HeadParser()
        var methods = methods[...]
        var body: [UInt8] = []
        func begin() {
            head.reset(limits: limits)
            reader.begin(ResponseContext(method: methods.removeFirst()), head: head)
        }
        func add(_ event: String) {
            if !body.isEmpty { events.append("body \(String(decoding: body, as: UTF8.self))") }
            body = []
            events.append(event)
        }
        begin()
        var start = 0
        var isOver = false
        for end in cuts + [input.count] where !isOver {
            input[start..<end].withUnsafeBytes { piece in
                var position = 0
                while !isOver {
                    switch reader.read(piece, from: &position) {
                    case .needsBytes:
                        if position != piece.count { add("\(piece.count - position) bytes were not taken") }
                        start = end
                        return
                    case .interim(let status): add("interim \(status)")
                    case .status: add("status \(head.status)")
                    case .head:
                        add("head")
                        section = String(decoding: head.section, as: UTF8.self)
                    case .body(let bytes):
                        if bytes.isEmpty { add("an empty part of a body") }
                        body += bytes
                    case .end(let isReusable):
                        add(isReusable ? "end, reusable" : "end")
                        if methods.isEmpty { isOver = true } else { begin() }
                    case .fault(let fault):
                        add(fault.failure.message)
                        isOver = true
                    }
                }
                rest = input.count - start - position
            }
        }
        guard !isOver else { return }
        switch ending {
        case .none: if !body.isEmpty { add("…") }
        case .plain: add(ReaderRun.text(reader.end(isOrderly: false, isSecure: false)))
        case .tls: add(ReaderRun.text(reader.end(isOrderly: true, isSecure: true)))
        case .cutTLS: add(ReaderRun.text(reader.end(isOrderly: false, isSecure: true)))
        }
    }

    private static func text(_ end: HTTP1Reader.EndEvent) -> String {
        switch end {
        case .end: "end"
        case .lost(let reason): "lost: \(reason)"
        case .fault(let fault): fault.failure.message
        }
    }
}

/// Reads an input whole, cut in two at every byte, and byte by byte, and expects the same of each.
func read(
    _ input: String,
    methods: [String] = ["GET"],
    limits: ResponseLimits = ResponseLimits(),
    ending: ReaderRun.Ending = .none,
    sourceLocation: SourceLocation = #_sourceLocation
) -> ReaderRun {
    let bytes = Array(input.utf8)
    let whole = ReaderRun(bytes, methods: methods, limits: limits, ending: ending)
    let single = ReaderRun(bytes, cuts: Array(0...bytes.count), methods: methods, limits: limits, ending: ending)
    // A fault in the first line is seen before the line ends, so its rest is not taken by one and is by the other.
    let isFault = whole.events.last?.hasPrefix("end") != true
    func isSame(_ other: ReaderRun) -> Bool {
        other.events == whole.events && other.section == whole.section && (isFault || other.rest == whole.rest)
    }
    #expect(isSame(single), "byte by byte: \(single), whole: \(whole)", sourceLocation: sourceLocation)
    for cut in 0...bytes.count {
        let pieces = ReaderRun(bytes, cuts: [cut], methods: methods, limits: limits, ending: ending)
        #expect(isSame(pieces), "cut at \(cut): \(pieces), whole: \(whole)", sourceLocation: sourceLocation)
    }
    return whole
}
