// Part of the API of supervised connections, so that modules importing this one need not import HeliumCore for it.
@_exported public import struct HeliumCore.BackoffPolicy
