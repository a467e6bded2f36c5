// The lock is an implementation detail of ours: the module has nothing public.
@_exported public import HeliumConcurrency
// JSON is what bodies are mostly made of: its types come up in ours, such as `DateRule` for dates.
@_exported public import HeliumJSON
