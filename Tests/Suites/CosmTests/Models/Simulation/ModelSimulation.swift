import Foundation
import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@testable import Cosm

/// One run of a feed's model that is edited, saved, fetched, pushed to and subscribed in any order, while another client
/// writes to the same feed.
///
/// The title and most datastreams are written by this side only, the description and one datastream by the other one. So
/// the model must always show what was set here. Without fetches, of which the one that was requested last counts, it
/// must never show an older description than before.
final class ModelSimulation {
    private let seed: UInt64
    private var random: SeededRandom
    private let service: SimulatedFeedService
    private let pushed: PushedFeed
    private var model: FeedModel { pushed.model }
    private var tasks: [Task<Void, Never>] = []
    private var log: [String] = []
    private var faults: [String] = []

    private var title = "t0"
    /// The values of the datastreams that were created here.
    private var values: [String: String] = [:]
    private let removed = Collected<String>()
    private var deleting: Set<String> = []
    private var lastDescription = 0
    private var lastNumber = 0
    private let hasFetches: Bool
    private var isSubscribed = false

    init(seed: UInt64, fault: SimulatedFeedService.Fault? = nil) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        hasFetches = random.oneIn(2)
        service = SimulatedFeedService(seed: seed &+ 1, fault: fault)
        pushed = PushedFeed(FeedModel(id: 504, api: try service.makeAPI()))
    }

    /// Runs the events, and returns the promises that were not kept.
    ///
    /// - Parameter limit: The time after which something is held never to happen.
    func run(within limit: Duration = .seconds(60)) async throws -> [String] {
        try await model.fetch()
        for _ in 0..<(10 + random.below(40)) where faults.isEmpty {
            try await step()
            for _ in 0..<random.below(25) {
                await Task.yield()
                check()
            }
        }
        if faults.isEmpty { try await settle(within: limit) }
        await model.unsubscribe()
        for task in tasks { await task.value }
        return faults.isEmpty ? [] : ["seed \(seed): \(log.joined(separator: " "))"] + faults
    }

    // MARK: Events

    private func step() async throws {
        switch random.below(20) {
        case 0, 1: setTitle()
        case 2: create()
        case 3: setValue()
        case 4, 5: start("save") { model in try await model.save() }
        case 6: saveChild()
        case 7: delete()
        case 8 where hasFetches, 9 where hasFetches:
            start("fetch") { model in _ = try await model.fetch() }
        case 8...12:
            log.append("theirs")
            service.writeTheirs()
        case 13...17: deliver(1 + random.below(3))
        default: try await toggle()
        }
    }

    private func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func start(_ name: String, _ work: @escaping @Sendable (FeedModel) async throws -> Void) {
        log.append(name)
        tasks.append(Task { [model] in try? await work(model) })
    }

    private func setTitle() {
        title = "t\(number())"
        log.append("title:\(title)")
        model.title = title
    }

    private func create() {
        let id = "s\(number())"
        log.append("create:\(id)")
        values[id] = "0"
        model.datastreams.add(Datastream(id: id, currentValue: "0"))
    }

    private var someID: String? {
        let ids = values.keys.filter { !deleting.contains($0) }.sorted()
        return ids.isEmpty ? nil : random.pick(ids)
    }

    private func setValue() {
        guard let id = someID else { return }
        let value = number().description
        log.append("set:\(id):\(value)")
        values[id] = value
        model.datastreams[id]?.currentValue = DatapointValue(value)
    }

    private func saveChild() {
        guard let id = someID, let child = model.datastreams[id] else { return }
        start("save:\(id)") { _ in try await child.save() }
    }

    private func delete() {
        guard let id = someID, let child = model.datastreams[id], !child.isNew else { return }
        deleting.insert(id)
        start("delete:\(id)") { [removed] model in
            try await child.delete()
            model.datastreams.removeDeleted()
            removed.add(id)
        }
    }

    private func deliver(_ count: Int) {
        for _ in 0..<count {
            guard let push = service.takePush() else { return }
            log.append("push:\(push.updated?.microseconds ?? 0)")
            pushed.push(push)
        }
    }

    private func toggle() async throws {
        log.append(isSubscribed ? "unsubscribe" : "subscribe")
        if isSubscribed {
            service.unsubscribe()
            await model.unsubscribe()
        } else {
            service.subscribe()
            try await pushed.subscribe()
        }
        isSubscribed.toggle()
    }

    // MARK: Promises

    /// Checks what must be so at every moment.
    private func check() {
        if model.title != title { note("the title is \(model.title ?? ""), not \(title)") }
        for (id, value) in values where !deleting.contains(id) {
            guard let child = model.datastreams[id] else {
                note("\(id) is missing")
                continue
            }
            if child.currentValue?.text != value { note("\(id) is \(child.currentValue?.text ?? ""), not \(value)") }
        }
        for id in removed.all where model.datastreams[id] != nil { note("\(id) is back") }
        let description = model.description.flatMap { Int($0) } ?? -1
        if !hasFetches, description < lastDescription {
            note("the description is \(description) after \(lastDescription)")
        }
        lastDescription = max(lastDescription, description)
    }

    private func note(_ fault: String) { if faults.isEmpty { faults.append(fault) } }

    /// Everything is saved and delivered. Then the model shows the feed of the service.
    private func settle(within limit: Duration) async throws {
        if !isSubscribed { try await toggle() }
        for task in tasks { await task.value }
        check()
        try await model.save()
        for child in model.datastreams.datastreams where !child.unsavedMembers.isEmpty { try await child.save() }
        service.writeTheirs()
        deliver(.max)
        let feed = service.feed
        let wanted = Dictionary((feed.datastreams ?? []).map { ($0.id ?? "", $0.currentValue?.text) }) { $1 }
        func shown() -> [String: String?] {
            Dictionary(model.datastreams.datastreams.map { ($0.id ?? "", $0.currentValue?.text) }) { $1 }
        }
        do {
            try await eventually(within: limit) {
                check()
                return model.title == feed.title && model.description == feed.description && shown() == wanted
            }
        } catch is NeverSo {
            note("the model has \(model.title ?? ""), \(model.description ?? ""), \(shown()), the service has \(feed)")
        }
        if model.user?.login != "ann" { note("the owner is missing") }
    }
}

@Suite("Models in any order", .timeLimit(.minutes(5)))
struct ModelSimulationTests {
    @Test(
        "in any order of edits, saves, fetches and pushes, a model shows what was set, and in the end what the service has",
        .tags(.random),
        arguments: SimulationSeeds.cases
    )
    func anyOrder(number: Int) async throws {
        let faults = try await SimulationSeeds.faults(of: number) { try await ModelSimulation(seed: $0).run() }
        #expect(faults.isEmpty)
    }

    @Test("a service that breaks a promise is noticed", arguments: SimulatedFeedService.Fault.allCases)
    func plantedFaults(fault: SimulatedFeedService.Fault) async throws {
        for seed in 0..<100 {
            let simulation = try ModelSimulation(seed: UInt64(seed), fault: fault)
            if let faults = try? await simulation.run(within: .milliseconds(300)), faults.isEmpty { continue }
            return
        }
        Issue.record("\(fault) was not noticed")
    }
}
