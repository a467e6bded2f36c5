@testable import FuzzSupport

/// The command line.
struct FuzzOptions {
    static let usage = """
        usage: FuzzRunner [--count N] [--from N] [--seed N] [--only TARGET]… [--jobs N] [--findings FOLDER]
        targets: \(FuzzTarget.all.map(\.name).joined(separator: " "))
        """

    /// The number of inputs of each target, in place of its own.
    var count: Int?
    var from = 0
    var seed: UInt64 = 20_160_212
    var only: [String] = []
    var jobs = 2
    var findings = "."
    /// The log of the process that runs one target, and is not told to people.
    var child: String?

    struct Invalid: Error, CustomStringConvertible { let description: String }

    init(_ arguments: some Sequence<String>) throws(Invalid) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Invalid(description: "\(name) needs a value") }
            switch name {
            case "--count": count = try Self.number(value, name)
            case "--from": from = try Self.number(value, name)
            case "--jobs": jobs = max(1, try Self.number(value, name))
            case "--seed":
                guard let number = UInt64(value) else { throw Invalid(description: "\(name) \(value) is no number") }
                seed = number
            case "--only":
                guard FuzzTarget.named(value) != nil else { throw Invalid(description: "there is no target \(value)") }
                only.append(value)
            case "--findings": findings = value
            case "--child": child = value
            default: throw Invalid(description: "unknown option \(name)")
            }
        }
    }

    var targets: [FuzzTarget] { FuzzTarget.all.filter { only.isEmpty || only.contains($0.name) } }

    /// The number of inputs of a target.
    func count(of target: FuzzTarget) -> Int { count ?? target.count }

    private static func number(_ text: String, _ name: String) throws(Invalid) -> Int {
        guard let number = Int(text), number >= 0 else { throw Invalid(description: "\(name) \(text) is no number") }
        return number
    }
}
