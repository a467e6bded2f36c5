// Models are declared with the macros of this module. Everything else is in JetstreamCore, which tools use without
// macros.
@_exported public import JetstreamCore
