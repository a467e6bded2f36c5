import Foundation

@testable import FuzzSupport

/// The process that runs one target.
struct FuzzWorker {
    static let findingStatus: Int32 = 3

    let options: FuzzOptions
    let log: FuzzLog

    func run() async throws {
        guard let target = options.targets.first else { return }
        for round in options.from..<(options.from + options.count(of: target)) {
            let input = target.input(round, seed: options.seed)
            log.write(round: round, input)
            do {
                try await target.check(input)
            } catch {
                say("\(target.name): \(error)")
                exit(Self.findingStatus)
            }
        }
    }
}
