import Foundation
import HeliumCore
import HeliumJSON
import JetstreamCore
import TestSupport
import Testing

/// Clients and a server on a network that breaks at random.
private struct Network {
    struct Client {
        var machine: ConnectionMachine
        var isOpen = false
        var token: String?
        var up: [String] = []
        var down: [String] = []
        var mirror = ScopeMirror()
        var pending: [OutgoingChanges] = []
        var outcomes: [String: String] = [:]
        var submitted = 0
    }

    var server = SimpleServer()
    var clients: [Client]
    var now = Duration.zero
    var random: SeededRandom
    var events: [String: Int] = [:]
    let codec = JetstreamCodec()

    init(seed: UInt64, clientCount: Int) {
        random = SeededRandom(seed: seed)
        clients = (0..<clientCount).map { number in
            let bits = seed &+ UInt64(number)
            return Client(machine: ConnectionMachine(random: RandomSource { bits << 32 }))
        }
        for index in clients.indices { handle(.fetch(ScopeID(0), name: "Canvas", parameters: [:]), at: index) }
    }

    mutating func handle(_ event: ConnectionEvent, at index: Int) {
        for action in clients[index].machine.handle(event, at: now) {
            switch action {
            case .send(let frame): if clients[index].isOpen { clients[index].up.append(frame) }
            case .closeSocket: cut(index, code: 1000)
            case .deliver(_, let delivery): take(delivery, at: index)
            case .refuse(_, let error): Issue.record("refused: \(error)")
            case .end(let error): Issue.record("ended: \(error)")
            case .save: break
            case .report(let news):
                if case .lost = news { events["lost", default: 0] += 1 }
            }
        }
    }

    private mutating func take(_ delivery: ScopeDelivery, at index: Int) {
        switch delivery {
        case .state(let state, let sent):
            clients[index].mirror.apply(state)
            let unsent = clients[index].pending.filter { !sent.contains($0.id) }
            handle(.stateApplied(ScopeID(0), unsent: unsent), at: index)
        case .sync(let fragments): clients[index].mirror.apply(fragments)
        case .settled(let id, let outcome):
            guard let position = clients[index].pending.firstIndex(where: { $0.id == id }) else {
                Issue.record("settled twice: \(id)")
                return
            }
            let changes = clients[index].pending.remove(at: position)
            if case .replied(let replies) = outcome { clients[index].mirror.apply(changes.fragments, replies: replies) }
            let name = changes.fragments[0].properties["name"]?.stringValue ?? ""
            clients[index].outcomes[name] = MachineRig.text(outcome)
        case .ended(let error): Issue.record("scope ended: \(error)")
        }
    }

    // MARK: Events

    mutating func open(_ index: Int) {
        guard !clients[index].isOpen else { return }
        let token = clients[index].machine.token
        clients[index].isOpen = true
        clients[index].token = token
        handle(.opened, at: index)
        if let token, !server.knows(token) { cut(index, code: 4096) }
    }

    mutating func cut(_ index: Int, code: Int) {
        guard clients[index].isOpen else { return }
        clients[index].isOpen = false
        (clients[index].up, clients[index].down) = ([], [])
        handle(.closed(SocketEnd(code: code)), at: index)
    }

    mutating func carryUp(_ index: Int) {
        guard !clients[index].up.isEmpty else { return }
        let frame = clients[index].up.removeFirst()
        for message in (try? codec.messages(in: frame)) ?? [] {
            for (token, answer) in server.receive(message, token: &clients[index].token) {
                let target = token == nil ? index : clients.firstIndex { $0.isOpen && $0.token == token }
                if let target { clients[target].down.append(codec.text(of: [answer])) }
            }
        }
    }

    mutating func carryDown(_ index: Int) {
        guard !clients[index].down.isEmpty else { return }
        let frame = clients[index].down.removeFirst()
        // A message that overtakes another is a gap, which the client repairs.
        if random.oneIn(20), !clients[index].down.isEmpty {
            events["overtaken", default: 0] += 1
            let second = clients[index].down.removeFirst()
            handle(.received(second), at: index)
        }
        handle(.received(frame), at: index)
        if random.oneIn(20) {
            events["doubled", default: 0] += 1
            if clients[index].isOpen { handle(.received(frame), at: index) }
        }
    }

    mutating func submit(_ index: Int) {
        clients[index].submitted += 1
        let name = "\(random.oneIn(10) ? "refuse " : "")\(index)-\(clients[index].submitted)"
        let changes = MachineRig.changes(clients[index].submitted, name)
        clients[index].pending.append(changes)
        handle(.submit(ScopeID(0), changes), at: index)
    }

    mutating func pass(_ time: Duration) {
        now += time
        for index in clients.indices {
            if let deadline = clients[index].machine.deadline, deadline <= now { handle(.timePassed, at: index) }
        }
    }

    mutating func step() {
        let index = random.below(clients.count)
        switch random.below(100) {
        case 0..<20: submit(index)
        case 20..<50: carryUp(index)
        case 50..<85: carryDown(index)
        case 85..<90: open(index)
        case 90..<94: pass(.milliseconds(Int64(random.below(5000))))
        case 94..<99:
            if clients[index].isOpen { events["cut", default: 0] += 1 }
            cut(index, code: random.oneIn(2) ? 1006 : 1000)
        default:
            if random.oneIn(10) {
                events["expired", default: 0] += 1
                server.expireAll()
                for index in clients.indices {
                    // A session expires; a socket without one just breaks.
                    cut(index, code: clients[index].machine.token == nil ? 1006 : 4097)
                }
            }
        }
    }

    /// Lets everything arrive.
    mutating func calm() {
        for _ in 0..<40 {
            for index in clients.indices { open(index) }
            while clients.contains(where: { !$0.up.isEmpty || !$0.down.isEmpty }) {
                for index in clients.indices {
                    carryUp(index)
                    carryDown(index)
                }
            }
            pass(.seconds(4))
        }
    }
}

@Suite("Connections at random")
struct RandomConnectionTests {
    @Test(
        "random connections end with equal copies, and each change set is applied once, or at most once in doubt",
        .tags(.random)
    )
    func convergence() {
        var events: [String: Int] = [:]
        let seeds = ProofLength.seeds(15)
        for seed in seeds {
            var network = Network(seed: seed, clientCount: 3)
            for _ in 0..<400 { network.step() }
            network.calm()
            events.merge(network.events) { $0 + $1 }
            let counts = Dictionary(network.server.applied.map { ($0, 1) }, uniquingKeysWith: +)
            for client in network.clients {
                #expect(client.pending.isEmpty, "seed \(seed)")
                let name = client.mirror.objects.first?.properties["name"]
                #expect(name == .string(network.server.name), "seed \(seed)")
                #expect(client.outcomes.count == client.submitted, "seed \(seed)")
                for (name, outcome) in client.outcomes {
                    let count = counts[name] ?? 0
                    switch outcome {
                    case "replied": #expect(count == 1, "seed \(seed): \(name)")
                    case "refused": #expect(count == 0, "seed \(seed): \(name)")
                    case "unknown sessionLost maybeSent": #expect(count <= 1, "seed \(seed): \(name)")
                    default: Issue.record("seed \(seed): \(name) \(outcome)")
                    }
                }
            }
            for number in network.clients.indices {
                let own = network.server.applied.filter { $0.hasPrefix("\(number)-") }
                let order = own.compactMap { Int($0.split(separator: "-")[1]) }
                #expect(order == order.sorted(), "seed \(seed)")
            }
        }
        // With the inputs of `make test`.
        guard ProofLength.seed == nil else { return }
        for event in ["cut", "expired", "lost", "overtaken", "doubled"] {
            #expect((events[event] ?? 0) > seeds.count / 6, "\(event): \(events)")
        }
    }

    @Test("a random connection takes the same course for the same seed")
    func repeatable() {
        func course() -> [String] {
            var network = Network(seed: 7, clientCount: 3)
            for _ in 0..<400 { network.step() }
            return network.clients.flatMap { $0.up + $0.down } + network.server.applied
        }
        #expect(course() == course())
    }
}
