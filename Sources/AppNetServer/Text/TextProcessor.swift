internal import HeliumJSON
internal import HeliumServerKit

/// Finds the entities of a text, and adds hosts after anchors that could be misleading (Docs/Protocols/AppNet.md §3.6).
struct TextProcessor {
    /// Returns the id of a user by a name in lower case; `nil` if the user does not exist.
    let userID: (String) throws -> Int64?

    /// Processes a text.
    ///
    /// - Parameter maximum: The maximum number of code points in the text, without the hosts that are added.
    /// - Throws: ``AppNetFailure`` with 400 if the text is invalid, or the error that ``userID`` throws.
    func process(_ written: WrittenText, maximum: Int) throws -> ProcessedText {
        let scalars = Array(written.text.unicodeScalars)
        try require(scalars.count <= maximum, "The text is longer than \(maximum) characters.")
        let links = try self.links(of: written, scalars)
        let linked = links.map { $0.position..<($0.position + $0.length) }
        let scanner = EntityScanner(scalars, written.rules)
        var entities = AppNetEntities(links: links)
        let hashtags = try scanner.hashtags.filter { try isFree($0.range, linked, written) }
        entities.hashtags = hashtags.map { hashtag in
            AppNetEntities.Hashtag(name: hashtag.name, position: hashtag.range.lowerBound, length: hashtag.range.count)
        }
        for name in scanner.names {
            guard let id = try userID(name.name), try isFree(name.range, linked, written) else { continue }
            entities.mentions.append(
                AppNetEntities.Mention(
                    name: name.name,
                    id: id,
                    position: name.range.lowerBound,
                    length: name.range.count
                )
            )
        }
        if written.marksLeadingMentions { markLeading(&entities.mentions, scalars) }
        if written.rules.hasCopies { markCopies(&entities.mentions, scalars) }
        let processed = try amended(scalars, entities, written.rules)
        // What is stored is checked, not what was sent: without the Markdown between them, two valid runs of combining
        // marks are one run that is too long.
        if let fault = processed.textFault { throw AppNetFailure.unusable(fault) }
        return processed
    }

    /// Returns whether an entity is outside of all links. An entity inside a link is not an entity of its own. A given
    /// link that partly overlaps an entity is an error.
    private func isFree(_ range: Range<Int>, _ links: [Range<Int>], _ written: WrittenText) throws -> Bool {
        // Links are sorted and do not overlap, so only the first one that ends after the entity's start has to be
        // checked.
        let index = links.partitioningIndex { $0.upperBound > range.lowerBound }
        guard index < links.count, links[index].overlaps(range) else { return true }
        let link = links[index]
        let isInside = link.lowerBound <= range.lowerBound && range.upperBound <= link.upperBound
        let covers = range.lowerBound <= link.lowerBound && link.upperBound <= range.upperBound
        try require(isInside || covers || written.links == nil, "A link partly overlaps a mention or a hashtag.")
        return false
    }

    private func links(of written: WrittenText, _ scalars: [Unicode.Scalar]) throws -> [AppNetEntities.Link] {
        var links: [AppNetEntities.Link] = []
        var end = 0
        func anchor(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
        for given in written.links ?? [] {
            guard given.position >= 0, given.length > 0, given.position <= scalars.count,
                given.length <= scalars.count - given.position
            else { throw AppNetFailure.badRequest("A link is outside the text.") }
            try require(given.position >= end, "Two links overlap.")
            end = given.position + given.length
            links.append(
                AppNetEntities.Link(
                    text: anchor(given.position..<end),
                    url: given.url,
                    position: given.position,
                    length: given.length,
                    title: given.title,
                    processesTemplate: given.processesTemplate
                )
            )
        }
        let bytes = links.reduce(0) { $0 + $1.url.utf8.count + ($1.title?.utf8.count ?? 0) }
        guard bytes <= TextLimits.linkBytes else {
            throw AppNetFailure.badRequest(
                "The URLs and titles of a text's links have at most \(TextLimits.linkBytes) bytes together."
            )
        }
        guard written.parsesLinks else { return links }
        let taken = links.map { $0.position..<($0.position + $0.length) }
        let found = LinkDetector(scalars, written.rules).links(outside: taken).map { link in
            AppNetEntities.Link(
                text: anchor(link.range),
                url: link.url,
                position: link.range.lowerBound,
                length: link.range.count
            )
        }
        return (links + found).sorted { $0.position < $1.position }
    }

    /// Marks the leading mentions. Only white space and other leading mentions precede a leading mention.
    private func markLeading(_ mentions: inout [AppNetEntities.Mention], _ scalars: [Unicode.Scalar]) {
        var end = 0
        for index in mentions.indices {
            let mention = mentions[index]
            guard scalars[end..<mention.position].allSatisfy(\.properties.isWhitespace) else { return }
            mentions[index].isLeading = true
            end = mention.position + mention.length
        }
    }

    /// Marks the mentions that are copies: a mention after a `/`, and the mentions that directly follow it.
    private func markCopies(_ mentions: inout [AppNetEntities.Mention], _ scalars: [Unicode.Scalar]) {
        var copiedUpTo: Int?
        for index in mentions.indices {
            let mention = mentions[index]
            let isBehindSlash = mention.position > 0 && scalars[mention.position - 1] == "/"
            let follows =
                copiedUpTo.map { scalars[$0..<mention.position].allSatisfy(\.properties.isWhitespace) } ?? false
            guard isBehindSlash || follows else {
                copiedUpTo = nil
                continue
            }
            mentions[index].isCopy = true
            copiedUpTo = mention.position + mention.length
        }
    }

    /// Adds ` [host]` after every anchor whose own host differs from that of its URL, and moves the entities after it.
    private func amended(
        _ scalars: [Unicode.Scalar],
        _ entities: AppNetEntities,
        _ rules: TextRules
    ) throws(AppNetFailure) -> ProcessedText {
        var entities = entities
        var insertions: [(position: Int, text: [Unicode.Scalar])] = []
        for index in entities.links.indices {
            let link = entities.links[index]
            let host = WebHost.authority(of: link.url, rules)
            guard WebHost.authority(of: link.text, rules).lowercased() != host.lowercased() else { continue }
            try require(
                host.utf8.count <= TextLimits.hostBytes,
                "A link's host has at most \(TextLimits.hostBytes) bytes."
            )
            let suffix = Array(" [\(host)]".unicodeScalars)
            entities.links[index].amendedLength = link.length + suffix.count
            // A client that sends a text back also sends the hosts that were added to it.
            let end = link.position + link.length
            if !scalars[end...].starts(with: suffix) { insertions.append((end, suffix)) }
        }
        guard !insertions.isEmpty else {
            return ProcessedText(text: String(String.UnicodeScalarView(scalars)), entities: entities)
        }
        // The number of scalars that the first n insertions add, for each n.
        var added = [0]
        for insertion in insertions { added.append(added[added.count - 1] + insertion.text.count) }
        func moved(_ position: Int) -> Int {
            position + added[insertions.partitioningIndex { $0.position > position }]
        }
        entities.movePositions(moved)
        var out = String.UnicodeScalarView()
        var position = 0
        for insertion in insertions {
            out.append(contentsOf: scalars[position..<insertion.position])
            out.append(contentsOf: insertion.text)
            position = insertion.position
        }
        out.append(contentsOf: scalars[position...])
        return ProcessedText(text: String(out), entities: entities)
    }
}
