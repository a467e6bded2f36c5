import Foundation

/// Simulates a system, seed after seed.
///
///     SYSTEM [--seed N] [--runs N] [--seeds N] [--trace]
///
/// Each seed is simulated `--runs` times, 2 by default, and all its traces must be equal; `--seeds` such seeds follow each
/// other, and no two may have the same trace. `--trace` prints the first trace of each seed.
///
/// The program starts itself again with or without `SWIFT_DETERMINISTIC_HASHING=1`, as the system needs it: with it, sets and
/// dictionaries have the same order in each process. It prints a line for each seed, and exits with 0 if all went well, with 1 if
/// a seed failed, with 2 for wrong arguments. 300 seeds or more also fail if an event of a kind that the system names never
/// happened.
public enum SimulationProgram {
    /// A further system is an entry here.
    private static let systems: [any SimulatedSystem.Type] =
        [
            Spike.self, BeastSystem.self, JetstreamSystem.self, TransportSystem.self, Yielding.self, Sleeping.self,
            Hanging.self, Threading.self, LosingBeast.self, SwappingJetstream.self,
        ]

    /// The seeds from which on each kind of event must have happened.
    private static let seedsWithAllKinds = 300

    /// Runs the program to its end. Must be called on the main thread, with nothing before it that needs Swift's concurrency.
    ///
    /// - Parameter arguments: The arguments after the name of the program and its subcommand.
    public static func main(_ arguments: some Sequence<String>) -> Never {
        do {
            let options = try SimulationOptions(arguments)
            let system = try system(named: options.system)
            startAgain(isDeterministic: system.needsDeterministicHashing)
            exit(run(system, options) ? 0 : 1)
        } catch {
            say("simulation: error: \(error)")
            exit(2)
        }
    }

    private static func system(named name: String) throws -> any SimulatedSystem.Type {
        for system in systems where system.name == name { return system }
        throw SimulationOptions.Fault(
            "unknown system \"\(name)\": use \(systems.map { $0.name }.joined(separator: ", "))"
        )
    }

    /// Simulates all seeds until one fails, and returns whether none has.
    private static func run(_ system: any SimulatedSystem.Type, _ options: SimulationOptions) -> Bool {
        var digests: Set<String> = []
        var counts: [String: Int] = [:]
        for seed in options.seeds {
            do {
                let trace = try simulate(system, seed, options)
                digests.insert(trace.digest)
                counts.merge(trace.counts) { $0 + $1 }
            } catch {
                if options.printsTrace, let failure = error as? SimulationFailure {
                    for line in failure.trace.lines { say(line) }
                }
                say("simulation: FAILED \(system.name) \(error)")
                return false
            }
        }
        if digests.count < options.seeds.count {
            say("simulation: FAILED \(system.name) two seeds have the same trace")
            return false
        }
        return check(counts, of: system, options)
    }

    /// Prints how often each kind of event happened, and returns whether each did.
    private static func check(
        _ counts: [String: Int],
        of system: any SimulatedSystem.Type,
        _ options: SimulationOptions
    ) -> Bool {
        if system.kinds.isEmpty { return true }
        let list = system.kinds.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ")
        say("simulation: counted \(system.name): \(list)")
        let missing = system.kinds.filter { counts[$0] == nil }
        guard options.seeds.count >= seedsWithAllKinds, !missing.isEmpty else { return true }
        say("simulation: FAILED \(system.name) never happened: \(missing.joined(separator: ", "))")
        return false
    }

    private static func simulate(
        _ system: any SimulatedSystem.Type,
        _ seed: UInt64,
        _ options: SimulationOptions
    ) throws -> SimulationTrace {
        let first = try Simulation.run(system, seed: seed)
        if options.printsTrace { for line in first.lines { say(line) } }
        for _ in 1..<options.runs {
            let next = try Simulation.run(system, seed: seed)
            if let difference = first.difference(from: next) {
                throw SimulationOptions.Fault("seed \(seed): two runs have different traces: \(difference)")
            }
        }
        say(
            "simulation: passed \(system.name) seed \(seed) runs \(options.runs) lines \(first.lines.count) \(first.digest)"
        )
        return first
    }

    /// Replaces the process by one with the same arguments, whose hashes are the same in each process, or differ, as asked.
    private static func startAgain(isDeterministic: Bool) {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard (ProcessInfo.processInfo.environment[name] != nil) != isDeterministic else { return }
        if isDeterministic { setenv(name, "1", 1) } else { unsetenv(name) }
        guard let path = Bundle.main.executablePath else { return }
        var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + CommandLine.arguments.dropFirst()).map { strdup($0) }
        arguments.append(nil)
        execv(path, arguments)
        // It could not be started again. The process ends anyway.
        say("simulation: error: \(String(cString: strerror(errno)))")
        exit(2)
    }

    /// Prints a line at once, also into a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}

/// The arguments of the program.
struct SimulationOptions {
    /// A sentence about what is wrong.
    struct Fault: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private(set) var system = ""
    private(set) var runs = 2
    private(set) var printsTrace = false
    private var seed: UInt64 = 1
    private var seedCount: UInt64 = 1

    var seeds: Range<UInt64> { seed..<seed + seedCount }

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        guard let system = arguments.next() else { throw Fault("missing system") }
        self.system = system
        while let argument = arguments.next() {
            if argument == "--trace" {
                printsTrace = true
                continue
            }
            guard let number = arguments.next().flatMap({ UInt64($0) }), number < 1 << 40 else {
                throw Fault("\(argument) needs a number")
            }
            switch argument {
            case "--seed": seed = number
            case "--seeds": seedCount = max(1, number)
            case "--runs": runs = max(1, Int(number))
            default: throw Fault("unknown option \(argument)")
            }
        }
    }
}
