import Foundation
import FuzzSupport

/// Measures every ``CostCase`` with inputs of n, 2n and 4n bytes, and fails if one costs more than 2.5 times as much for
/// twice the length.
///
///     [--bytes N] [--only NAME]… [--quick] [--part I/N] [--time]
///     --largest [--quick] [--part I/N]
///
/// With `--largest` it sends the largest bodies to the calls of the server instead: see ``LargestBodies``.
///
/// The cost is the number of instructions, counted by Valgrind's Callgrind: the program starts itself again under it. The
/// number depends on no other process, no clock and no frequency. Hardware counters would be faster, but virtual machines
/// and containers rarely have them. With `--time` the cost is processor time, the least of several runs.
///
/// Exits with 0 if all costs grow as they may, with 1 if not, with 77 if Valgrind is missing, with 2 for wrong arguments.
public enum CostProgram {
    /// Runs the program to its end.
    ///
    /// - Parameter arguments: The arguments after the name of the program and its subcommand.
    public static func main(_ arguments: some Sequence<String>) -> Never {
        let options: CostOptions
        do {
            options = try CostOptions(arguments)
        } catch {
            say("cost: error: \(error)")
            exit(2)
        }
        if options.measuresLargestBodies {
            runToEnd {
                do {
                    var table = try LargestBodies(measures: !options.isQuick, part: options.part, of: options.parts)
                    exit(await table.run() == 0 ? 0 : 1)
                } catch {
                    say("cost: error: \(error)")
                    exit(2)
                }
            }
        }
        guard options.countFile != nil || options.measuresTime else { Callgrind.start() }
        let findings = run(options)
        say("cost: \(findings == 0 ? "passed" : "FAILED"), \(findings) inputs cost more than their length")
        exit(findings == 0 ? 0 : 1)
    }

    /// The number of patterns whose cost grows too fast.
    private static func run(_ options: CostOptions) -> Int {
        var meter: any CostMeter = options.countFile.map { InstructionMeter(countFile: $0) } ?? TimeMeter()
        var findings = 0
        for costCase in options.cases {
            var (measured, failed) = (0, 0)
            let patterns = costCase.patterns.filter { $0.isQuick || !options.isQuick }
            for (number, pattern) in patterns.enumerated() where number % options.parts == options.part {
                measured += 1
                let growth = CostGrowth(costCase, pattern, bytes: options.bytes, &meter)
                guard growth.isTooFast else { continue }
                failed += 1
                say("cost: FOUND \(costCase.name) \(pattern): \(growth)")
            }
            findings += failed
            say("cost: \(costCase.name): \(measured) patterns, \(failed) too expensive")
        }
        return findings
    }
}
