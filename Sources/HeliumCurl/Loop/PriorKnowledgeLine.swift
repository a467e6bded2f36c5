/// The prior-knowledge requests of one origin: the counts of connections and active transfers, and the queue.
struct PriorKnowledgeLine<Transfer> {
    /// The number of connections that openers have opened and that are not closed.
    var connections = 0
    var hasOpener = false
    /// The number of active transfers, including the opener.
    var started = 0
    /// The number of queued requests that may try to follow.
    var passes = 0

    // By ticket, so that removing a request needs no search among thousands.
    private var waiting: [PriorKnowledge.Ticket: Transfer] = [:]
    private var first: PriorKnowledge.Ticket = 0
    private var end: PriorKnowledge.Ticket = 0

    var isIdle: Bool { connections == 0 && started == 0 && waiting.isEmpty }
    var waitingCount: Int { waiting.count }

    mutating func start(_ role: PriorKnowledge.Role) -> PriorKnowledge.Role {
        started += 1
        if role == .opener { hasOpener = true }
        return role
    }

    mutating func wait(_ transfer: Transfer) -> PriorKnowledge.Ticket {
        waiting[end] = transfer
        end += 1
        return end - 1
    }

    mutating func leave(_ ticket: PriorKnowledge.Ticket) { waiting[ticket] = nil }

    /// Starts the next queued request, and returns it, if one may start.
    mutating func next() -> (transfer: Transfer, role: PriorKnowledge.Role)? {
        guard !waiting.isEmpty else {
            passes = 0
            return nil
        }
        guard let role = nextRole() else { return nil }
        while first < end {
            let transfer = waiting.removeValue(forKey: first)
            first += 1
            if let transfer { return (transfer, start(role)) }
        }
        return nil
    }

    private mutating func nextRole() -> PriorKnowledge.Role? {
        if connections == 0 { return hasOpener ? nil : .opener }
        if passes > 0 {
            passes -= 1
            return .follower
        }
        // Without active transfers no end of a transfer would start the next one.
        return started == 0 ? .follower : nil
    }
}
