// The lock is an implementation detail of ours: the module has nothing public.
@_exported public import HeliumConcurrency
