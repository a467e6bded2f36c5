import CrashSupport

/// `make crash`: kills processes with MessageBeast. See ``CrashProgram``.
@main
enum CrashRunner {
    static func main() async { await CrashProgram.main(Array(CommandLine.arguments.dropFirst())) }
}
