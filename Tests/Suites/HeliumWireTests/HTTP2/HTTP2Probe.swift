import HeliumCore
import HeliumWire

/// An exchange that records its events.
final class HTTP2Probe: HTTP2Exchange {
    let head = HeadParser()
    private(set) var events: [String] = []
    private(set) var body: [UInt8] = []
    private(set) var fault: ResponseFault?
    private(set) var end: HTTP2End?
    /// The parts that ``supplyBody(_:)`` gives; the bytes are zeros. Then nothing.
    var supplies: [BodySupply] = []
    /// The number of times that a part was asked for.
    private(set) var demands = 0
    /// Called when a part is asked for.
    var onDemand: () -> Void = {}
    /// Called with each event.
    var reaction: (String) -> Void = { _ in }

    init(limits: ResponseLimits = ResponseLimits()) { head.reset(limits: limits) }

    func received(_ event: HTTP2Event) {
        let name: String
        switch event {
        case .interim: name = "interim \(head.status)"
        case .status: name = "status \(head.status)"
        case .head: name = "head"
        case .body(let bytes):
            body += bytes
            name = "body"
        case .end: name = "end"
        case .fault(let fault):
            self.fault = fault
            name = "fault"
        case .closed(let end):
            self.end = end
            name = "closed"
        }
        // A body may arrive in any number of parts.
        if name != "body" || events.last != name { events.append(name) }
        reaction(name)
    }

    func supplyBody(_ room: UnsafeMutableRawBufferPointer) -> BodySupply {
        demands += 1
        onDemand()
        guard !supplies.isEmpty else { return .nothing }
        guard case .bytes(let count, let isLast) = supplies[0], count > room.count else {
            return supplies.removeFirst()
        }
        supplies[0] = .bytes(count - room.count, isLast: isLast)
        return .bytes(room.count, isLast: false)
    }

    var section: String { String(decoding: head.section, as: UTF8.self) }
    var text: String { String(decoding: body, as: UTF8.self) }
}
