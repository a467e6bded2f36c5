// The lock is an implementation detail. The module has no public declarations.
@_exported public import HeliumConcurrency
// Most bodies are JSON, and public declarations of this module use its types, such as `DateRule` for dates.
@_exported public import HeliumJSON
