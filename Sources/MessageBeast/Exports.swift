@_exported public import AppNet
