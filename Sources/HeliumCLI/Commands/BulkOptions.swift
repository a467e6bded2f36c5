import ArgumentParser

/// The spelling of curl for a header field: `-HName: value`, in one word.
enum JoinedHeaders {
    /// Returns the arguments with each such word as `--header=Name: value`. The argument parser would read the word as a
    /// group of flags, and quote it in its error.
    static func separated(_ arguments: [String]) -> [String] {
        guard arguments.first == RequestCommand.configuration.commandName else { return arguments }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { word in
            let bytes = word.utf8
            guard bytes.starts(with: "-H".utf8), bytes.count > 2, !bytes.starts(with: "-H=".utf8) else { return word }
            return "--header=" + String(decoding: bytes.dropFirst(2), as: UTF8.self)
        } + arguments[end...]
    }
}

/// Parses the repeated options of a long command line of `helium request` without the argument parser, whose time grows
/// with the square of the number of arguments (20,000 parameters took more than 12 s).
struct BulkOptions {
    /// The number of arguments up to which the argument parser parses the whole command line.
    static let threshold = 256

    private static let names: Set<String> = ["--param", "--form", "--header", "-H"]

    /// The remaining arguments for the argument parser.
    private(set) var rest: [String] = []
    private var values: [(option: String, value: String)] = []

    init(_ arguments: [String]) {
        guard arguments.count > Self.threshold, arguments.first == RequestCommand.configuration.commandName else {
            rest = arguments
            return
        }
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        var index = 0
        while index < end {
            let argument = arguments[index]
            index += 1
            let parts = argument.utf8.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            .map { String(decoding: $0, as: UTF8.self) }
            if Self.names.contains(argument), index < end, !arguments[index].hasPrefix("-") {
                values.append((argument, arguments[index]))
                index += 1
            } else if parts.count == 2, parts[0].hasPrefix("--"), Self.names.contains(parts[0]) {
                values.append((parts[0], parts[1]))
            } else {
                rest.append(argument)
            }
        }
        rest += arguments[end...]
    }

    /// Adds the values to the parsed command.
    ///
    /// - Throws: `ValidationError` for a malformed value. The error does not quote the value because it may be secret.
    func apply(to command: any ParsableCommand) throws -> any ParsableCommand {
        guard !values.isEmpty, var request = command as? RequestCommand else { return command }
        // Local lists, because each change of a command's property copies the property.
        var (headers, form, parameters): ([HeaderArgument], [NamedValue], [NamedValue]) = ([], [], [])
        for (option, text) in values {
            if option == "--header" || option == "-H" {
                headers.append(try Self.read(HeaderArgument(argument: text), option, "name:value"))
            } else {
                let value = try Self.read(NamedValue(argument: text), option, "name=value")
                if option == "--form" { form.append(value) } else { parameters.append(value) }
            }
        }
        request.header += headers
        request.body.form += form
        request.param += parameters
        try request.body.validate()
        try request.validate()
        return request
    }

    private static func read<Value>(_ value: Value?, _ option: String, _ form: String) throws -> Value {
        guard let value else { throw ValidationError("invalid \(option): use \(form)") }
        return value
    }
}
