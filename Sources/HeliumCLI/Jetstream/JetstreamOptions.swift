import ArgumentParser
import Foundation
import HTTPTypes
import HeliumKit
import HeliumWebSocket
import JetstreamCore

/// A parameter `NAME=JSON` on the command line.
struct JSONParameter: ExpressibleByArgument {
    let name: String
    let value: JSONValue

    init?(argument: String) {
        guard let pair = NamedValue(argument: argument), let value = try? JSONValue(parsing: pair.value) else {
            return nil
        }
        (name, self.value) = (pair.name, value)
    }

    /// Returns the parameters as an object. The last of several parameters with the same name is used.
    static func object(_ parameters: [JSONParameter]) -> JSONObject {
        parameters.reduce(into: [:]) { $0[$1.name] = $1.value }
    }
}

/// The output format of `helium jetstream`.
enum JetstreamOutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// Lines for display.
    case text
    /// One JSON document per line.
    case json
}

/// The server, the scope, and the connection options.
struct JetstreamOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The server's URL: ws or wss.", valueName: "url"))
    var url: LiveURL

    @Argument(help: "The scope's name.")
    var scope: String

    @Option(
        help: ArgumentHelp("The format of events: text, or json with a document on each line.", valueName: "format")
    )
    var format: JetstreamOutputFormat = .text

    @Option(
        help: ArgumentHelp(
            "The time limit for connecting, the first state, and each reply to a change. Default: 60s.",
            valueName: "time"
        )
    )
    var timeout: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "A PEM file with the trusted certificate authorities, instead of the system's.",
            valueName: "file"
        )
    )
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            "A header field of each connection. X-Jetstream-NAME is the connection parameter NAME.",
            valueName: "name: value"
        )
    )
    var header: [HeaderArgument] = []

    @Option(help: ArgumentHelp("A parameter of the session.", valueName: "name=json"))
    var sessionParam: [JSONParameter] = []

    @Option(help: ArgumentHelp("A parameter of the fetch.", valueName: "name=json"))
    var fetchParam: [JSONParameter] = []

    func validate() throws {
        _ = try checkedURL
        for (index, field) in header.enumerated() where HTTPField.Name(field.name) == nil {
            throw ValidationError("invalid --header number \(index + 1): use name: value")
        }
        try FilePath.check(cacert, for: "--cacert")
    }

    /// The maximum time for the first state, or for a reply.
    var limit: Duration { timeout?.duration ?? .seconds(60) }

    private var checkedURL: URL { get throws { try url.url(for: "URL", schemes: ["ws", "wss", "http", "https"]) } }

    /// The secrets among the arguments, which are masked in messages. All of them go to the URL that stands beside them.
    private var argumentSecrets: [String] {
        let fields = header.filter { HTTPField.Name($0.name).map(SensitiveFields.contains) ?? true }.map(\.value)
        let parameters = (sessionParam + fetchParam).filter { SecretScrubber.isSensitive($0.name) }
        return fields + fields.flatMap { $0.split(separator: " ").dropFirst().map(String.init) }
            + parameters.compactMap(\.value.stringValue)
    }

    /// Creates a client that is not connected yet.
    ///
    /// - Throws: `CommandFailure` if the file of `--cacert` cannot be read; `ValidationError`.
    func makeClient() throws -> JetstreamClient {
        if let cacert { try InputFile(path: cacert).check(for: "--cacert") }
        Console.current.secrets.add(argumentSecrets)
        var options = JetstreamClientOptions()
        options.sessionParameters = JSONParameter.object(sessionParam)
        options.webSocket.timeouts.connect = min(limit, .seconds(60))
        options.webSocket.tls.certificateAuthorityFile = cacert.map(CommandContext.current.path)
        for field in header {
            guard let name = HTTPField.Name(field.name) else { continue }
            options.webSocket.fields.append(HTTPField(name: name, value: field.value))
        }
        let url = try checkedURL
        do throws(JetstreamError) {
            return try JetstreamClient(url: url, options: options)
        } catch {
            throw ValidationError(error.message)
        }
    }
}
