import ArgumentParser
import Foundation
import HeliumKit

/// A secret and the origins that it may be sent to. A command gets the secret only for an address, so whether it may go
/// there is decided here and nowhere else.
///
/// A secret belongs to the addresses that it was set with. The secret of a variable belongs to the origins of the
/// variables with the service's addresses, if the variable with its base URL is set. An option that names another origin
/// does not change that. A secret from an option, a file, a login or standard input belongs to the addresses of the
/// command itself.
///
/// The address of a public service, which is used if no base URL is named, belongs to no other address of the environment.
/// A secret goes to one of them only.
///
/// The secret of the middleware is not of this type, because it is never sent: it makes signatures, which name the host
/// of the request.
struct BoundSecret: Sendable {
    /// The place that a secret comes from.
    enum Source: Sendable, Hashable {
        /// A variable, by its name.
        case variable(String)
        /// An option, a file, a stored login or standard input, with its name for messages.
        case command(String)

        var name: String {
            switch self {
            case .variable(let name), .command(let name): name
            }
        }
    }

    private let secret: Secret
    private let source: Source
    private let addresses: ServiceAddresses
    /// The origins that the secret belongs to; `nil` if it may be sent to any.
    private let homes: Set<ServiceAddresses.Home>?

    /// - Parameters:
    ///   - secret: The secret. It is masked in all messages from now on.
    ///   - source: The place that it comes from.
    ///   - addresses: The addresses of the command and of the environment.
    init(_ secret: Secret, from source: Source, for addresses: ServiceAddresses) throws {
        Console.current.secrets.add(secret)
        self.secret = secret
        self.source = source
        self.addresses = addresses
        homes =
            switch source {
            case .variable: try addresses.environmentHomes()
            case .command: try addresses.commandHomes()
            }
    }

    /// Returns the secret if it belongs to the origin of an address; otherwise `nil`.
    func released(to url: URL) throws -> Secret? {
        guard let homes else { return secret }
        return homes.contains(try ServiceAddresses.Home(url)) ? secret : nil
    }

    /// Returns the secret for all addresses that the command uses.
    ///
    /// - Throws: `ValidationError` if it does not belong to one of them. The message names the address and a remedy.
    func releasedToAll() throws -> Secret {
        for address in addresses.used where try released(to: address.url) == nil {
            throw ValidationError(
                "\(source.name) is not sent to \(address.source): its origin is not one of those that \(source.name) belongs to; \(remedy(address))"
            )
        }
        return secret
    }

    private func remedy(_ address: ServiceAddresses.Address) -> String {
        switch source {
        case .variable: "give the secret for that address by an option or a file, or set its variable"
        case .command: "name an address of the same service by an option"
        }
    }
}

/// The addresses of a service: those of the command line, and those of variables.
struct ServiceAddresses: Sendable {
    /// An address and its origin.
    struct Address: Sendable {
        let url: URL
        /// The name of the option or variable.
        let source: String
        let isOption: Bool
    }

    /// The origin of an address. A WebSocket has the origin of the HTTP URL that opens it.
    struct Home: Hashable, Sendable {
        private let origin: Origin
        /// Whether the address is one of a raw TCP connection.
        private let isRaw: Bool

        init(_ url: URL) throws {
            guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
                throw ValidationError("invalid URL")
            }
            let scheme = parts.scheme?.lowercased() ?? ""
            isRaw = scheme == "tcp"
            parts.scheme = ["ws": "http", "wss": "https", "tcp": "http"][scheme] ?? scheme
            guard let url = parts.url else { throw ValidationError("invalid URL") }
            do { origin = try Origin(url) } catch { throw ValidationError("invalid URL: \(error.description)") }
        }
    }

    /// The addresses that the command uses. The first one is the base URL.
    var used: [Address] = []
    /// The base URL in the environment, even if an option replaces it; `nil` if there is none.
    var environmentBase: URL?
    /// The other addresses in the environment, even if options replace them.
    var environmentOthers: [URL] = []
    /// The addresses of the public service that is used because no base URL is named; empty if one is named.
    var publicService: [URL] = []

    /// The origins of the addresses in the environment; `nil` if the environment names no base URL. If the base URL is
    /// that of a public service, the other addresses may be those of another service, to which the secret belongs.
    fileprivate func environmentHomes() throws -> Set<Home>? {
        guard let environmentBase else {
            if publicService.isEmpty { return nil }
            let others = try Set(environmentOthers.map(Home.init)).subtracting(publicService.map(Home.init))
            return others.isEmpty ? nil : others
        }
        return try Set(([environmentBase] + environmentOthers).map(Home.init))
    }

    /// The origins of the base URL and of the addresses on the command line. Those of the environment belong to them if
    /// the environment has the same base URL, or none. They do not belong to a public service.
    fileprivate func commandHomes() throws -> Set<Home> {
        var homes = try Set(used.filter(\.isOption).map { try Home($0.url) } + publicService.map(Home.init))
        guard let base = used.first else { return homes }
        let home = try Home(base.url)
        homes.insert(home)
        if try publicService.isEmpty && environmentBase.map(Home.init) ?? home == home {
            homes.formUnion(try environmentOthers.map(Home.init))
        }
        return homes
    }
}
