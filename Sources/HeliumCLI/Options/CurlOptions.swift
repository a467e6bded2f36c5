import ArgumentParser

/// The options for printing a `curl` command instead of sending a request.
struct CurlOptions: ParsableArguments {
    @Flag(help: "Print the curl command that sends the same request, secrets masked; send nothing.")
    var curl = false

    @Flag(help: "Mask nothing in what --curl prints.")
    var showSecrets = false

    func validate() throws {
        if showSecrets, !curl { throw ValidationError("--show-secrets needs --curl") }
    }
}
