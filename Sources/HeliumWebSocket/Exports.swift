// Part of the API of supervised connections: importers of this module need not import HeliumCore for it.
@_exported public import struct HeliumCore.BackoffPolicy
