import ArgumentParser
import Cosm
import Foundation

/// The members of a feed: options, and a document that they complete.
struct FeedMembers: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A document to send: .json, .xml, or for updates .csv; - for standard input, which has JSON.",
            valueName: "file"
        )
    )
    var file: String?

    @Option(help: "The title.")
    var title: String?

    @Option(help: "A description of the feed.")
    var description: String?

    @Option(help: "The URL of a page about the feed.")
    var website: String?

    @Option(help: "The email address of a contact.")
    var email: String?

    @Option(name: .customLong("tag"), help: "A tag. Repeatable. One empty tag removes all tags.")
    var tags: [String] = []

    @Flag(inversion: .prefixedNo, help: "Whether only keys with private access can read the feed.")
    var `private`: Bool?

    @Option(help: "The name of the place.")
    var locationName: String?

    @Option(parsing: .unconditional, help: "Degrees north.")
    var lat: Double?

    @Option(parsing: .unconditional, help: "Degrees east.")
    var lon: Double?

    @Option(parsing: .unconditional, help: "The height in metres.")
    var ele: Double?

    @Option(help: "physical or virtual.")
    var domain: Location.Domain?

    @Option(help: "indoor or outdoor.")
    var exposure: Location.Exposure?

    @Option(help: "fixed or mobile.")
    var disposition: Location.Disposition?

    @Option(
        name: .customLong("datastream"),
        help: ArgumentHelp("A datastream, optionally with its current value. Repeatable.", valueName: "id[=value]")
    )
    var datastreams: [String] = []

    /// Returns the feed that the document and the options describe together.
    ///
    /// - Throws: `ValidationError` if the format of the file is unknown; `ExitCode` after a report if the file cannot
    ///   be read or is not a document.
    func feed() throws -> Feed {
        var feed = try document()
        feed.title = title ?? feed.title
        feed.description = description ?? feed.description
        feed.website = website ?? feed.website
        feed.email = email ?? feed.email
        if !tags.isEmpty { feed.tags = tags.filter { !$0.isEmpty } }
        feed.isPrivate = `private` ?? feed.isPrivate
        var location = feed.location ?? Location()
        location.name = locationName ?? location.name
        location.latitude = lat ?? location.latitude
        location.longitude = lon ?? location.longitude
        location.elevation = ele.map { DatapointValue($0) } ?? location.elevation
        location.domain = domain ?? location.domain
        location.exposure = exposure ?? location.exposure
        location.disposition = disposition ?? location.disposition
        if location != Location() { feed.location = location }
        let added = try datastreams.map { text in
            guard let stream = NamedValue(argument: text) else { return Datastream(id: text) }
            guard !stream.value.isEmpty else {
                throw ValidationError(
                    "invalid --datastream \"\(PrintableText.line(text))\": give a value after =, or the id alone"
                )
            }
            return Datastream(id: stream.name, currentValue: DatapointValue(stream.value))
        }
        if !added.isEmpty { feed.datastreams = (feed.datastreams ?? []) + added }
        return feed
    }

    private func document() throws -> Feed {
        guard let file else { return Feed(id: nil) }
        let input = InputFile(path: file)
        let fileExtension = input.isNameless ? "json" : (file as NSString).pathExtension
        guard let format = CosmFormat(fileExtension: fileExtension) else {
            throw ValidationError("--file must end in .json, .xml or .csv")
        }
        let contents = try input.contents()
        do {
            return try format.decode(Feed.self, from: contents)
        } catch let error as CosmDocumentError {
            throw CosmOptions.fail(DocumentKind.Refusal(error).description(of: input.name))
        }
    }
}

/// The `helium cosm create` command.
struct CosmCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a feed and print its id. A title is required."
    )

    @OptionGroup var members: FeedMembers
    @OptionGroup var options: CosmOptions

    func validate() throws {
        try FilePath.checkOneInput(("--file", members.file == "-"), ("--key-file", options.keyFile == "-"))
    }

    func run() async throws {
        let feed = try members.feed()
        if feed.title?.isEmpty != false { throw ValidationError("a feed needs a title: give --title") }
        try await options.perform { api in try Console.current.print("\(await api.createFeed(feed).text)") }
    }
}

/// The `helium cosm update ID` command.
struct CosmUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change a feed, or set values of its datastreams. Members that are not given remain unchanged."
    )

    @Argument(help: "The feed's id.")
    var id: Feed.ID

    @OptionGroup var members: FeedMembers
    @OptionGroup var options: CosmOptions

    func validate() throws {
        try FilePath.checkOneInput(("--file", members.file == "-"), ("--key-file", options.keyFile == "-"))
    }

    func run() async throws {
        let feed = try members.feed().writable
        if feed == Feed(id: nil) { throw ValidationError("there is nothing to change: give --title or another member") }
        try await options.perform { try await $0.updateFeed(id, feed) }
    }
}
