import ArgumentParser
import Foundation
import HeliumKit
import JetstreamCore

/// The `helium jetstream set URL SCOPE UUID|root KEY JSON` command.
struct JetstreamSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set one property of an object and wait for the server's reply.",
        discussion: "If the server rejects the change, its message is printed and the exit code is 1."
    )

    @OptionGroup var options: JetstreamOptions

    @Argument(help: ArgumentHelp("The object: its UUID, or root.", valueName: "uuid"))
    var object: String

    @Argument(help: "The property.")
    var key: String

    @Argument(help: ArgumentHelp("The value: a scalar, or an array of scalars of one kind.", valueName: "json"))
    var value: String

    func validate() throws {
        guard object == "root" || UUID(uuidString: object) != nil else {
            throw ValidationError("invalid object: use root or a UUID")
        }
        guard (try? JSONValue(parsing: value)) != nil else {
            throw ValidationError("invalid value: use JSON, for example 1, true or \"text\" with the quotes")
        }
    }

    func run() async throws {
        let (options, object, key) = (options, object, key)
        let value = try JSONValue(parsing: value)
        try await JetstreamRun.perform(options) { scope in
            let result = try await Deadline(after: options.limit, clock: CommandContext.current.clock).race {
                try await Self.set(key, to: value, of: object, in: scope)
            }
            guard let result else { return }
            if options.format == .json { try Console.current.print(JetstreamLines.text(result, line: 1, .json)) }
            switch result {
            case .failure(let error): throw error
            case .success(let replies):
                guard let refusal = replies.lazy.compactMap(\.error).first else { return }
                throw JetstreamRun.fail(refusal.message)
            }
        }
    }

    /// - Returns: The outcome; `nil` if the client was closed.
    private static func set(
        _ key: String,
        to value: JSONValue,
        of object: String,
        in scope: MirroredScope
    ) async throws -> Result<[FragmentReply], JetstreamError>? {
        var submitted: MirroredChanges?
        while let event = try await scope.next() {
            switch event {
            case .state(let rootUUID, let objects):
                guard submitted == nil else { continue }
                let uuid = object == "root" ? rootUUID : UUID(uuidString: object)
                guard let found = objects.first(where: { $0.uuid == uuid }) else {
                    throw JetstreamRun.fail("the scope has no object \(object)")
                }
                let fragment = SyncFragment(
                    .change,
                    uuid: found.uuid,
                    className: found.className,
                    properties: [key: value]
                )
                submitted = try scope.submit([fragment])
            case .settled(let changes, let result) where changes == submitted: return result
            case .settled, .sync: break
            }
        }
        return nil
    }
}
