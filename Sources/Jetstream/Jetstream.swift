// Models are declared with the macros here; all else is the core's, which tools use without them.
@_exported public import JetstreamCore
