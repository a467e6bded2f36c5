import Foundation

/// The command line: the part to run, and how long.
struct Options {
    static let usage = """
        usage: HTTPRunner responses|requests|idle|restarts|soak [--seed N] [--count N] [--peers FOLDER]
               [--authority FILE] [--servers NAME=URL,…]
        """

    var part = ""
    var seed: UInt64 = 1
    /// The number of responses, requests or calls.
    var count = 1000
    /// The folder of the programs of the peers.
    var peers = "."
    /// The certificate authority of the servers.
    var authority = ""
    /// The URLs of the servers by name.
    var servers: [(name: String, url: String)] = []

    struct Invalid: Error, CustomStringConvertible { let description: String }

    init(_ arguments: some Sequence<String>) throws(Invalid) {
        var rest = Array(arguments)[...]
        guard let part = rest.popFirst() else { throw Invalid(description: "there is no part") }
        self.part = part
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Invalid(description: "\(name) needs a value") }
            switch name {
            case "--seed":
                guard let number = UInt64(value) else { throw Invalid(description: "\(name) \(value) is no number") }
                seed = number
            case "--count":
                guard let number = Int(value), number > 0 else {
                    throw Invalid(description: "\(name) \(value) is no number")
                }
                count = number
            case "--peers": peers = value
            case "--authority": authority = value
            case "--servers":
                for item in value.split(separator: ",") {
                    let parts = item.split(separator: "=", maxSplits: 1)
                    guard parts.count == 2 else { throw Invalid(description: "\(name): \(item) is not NAME=URL") }
                    servers.append((String(parts[0]), String(parts[1])))
                }
            default: throw Invalid(description: "unknown option \(name)")
            }
        }
    }
}
