import FuzzSupport

/// The command line.
struct CostOptions {
    /// The length of the smallest input. Default: 2048.
    private(set) var bytes = 2048

    /// The cases. Default: all.
    private(set) var cases = CostCase.everything

    /// The index of the share of the patterns that is measured, from 0, and the number of shares. Use shares to divide
    /// the work among processors.
    private(set) var part = 0
    private(set) var parts = 1

    /// Whether only some of the patterns are measured: those that `make test` has time for.
    private(set) var isQuick = false

    /// Whether to measure processor time.
    private(set) var measuresTime = false

    /// Whether to measure the largest bodies of the server's calls in place of the cases.
    private(set) var measuresLargestBodies = false

    /// The path of the files that Callgrind writes, set by the program itself.
    private(set) var countFile: String?

    struct Invalid: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        var names: [String] = []
        while let option = rest.popFirst() {
            if option == "--time" {
                measuresTime = true
                continue
            }
            if option == "--largest" {
                measuresLargestBodies = true
                continue
            }
            if option == "--quick" {
                isQuick = true
                continue
            }
            guard let value = rest.popFirst() else {
                throw Invalid(description: "\(option) is unknown or lacks its value")
            }
            switch option {
            case "--bytes":
                guard let number = Int(value), 16...(1 << 24) ~= number else {
                    throw Invalid(description: "invalid --bytes \(value)")
                }
                bytes = number
            case "--only": names.append(value)
            case "--part":
                let numbers = value.split(separator: "/").compactMap { Int($0) }
                guard numbers.count == 2, numbers[0] >= 0, numbers[0] < numbers[1] else {
                    throw Invalid(description: "invalid --part \(value): use 0/2 and 1/2, for example")
                }
                (part, parts) = (numbers[0], numbers[1])
            case "--count-file": countFile = value
            default: throw Invalid(description: "unknown option \(option)")
            }
        }
        guard !names.isEmpty else { return }
        cases = try names.map { name in
            guard let found = (CostCase.everything + [.square]).first(where: { $0.name == name }) else {
                throw Invalid(
                    description: "no case \(name), only \(CostCase.everything.map(\.name).joined(separator: ", "))"
                )
            }
            return found
        }
    }
}
