#pragma once

/// Calls `work` with `context`.
///
/// Callgrind finds this function by its name: it sets its count of instructions to zero on entry and writes the count to a
/// file on exit (`--zero-before` and `--dump-after`, see Tests/Support/CostSupport/Callgrind.swift). Swift functions have no names
/// that hold from one compiler to the next, so it is in C.
void helium_measured_work(void (*_Nonnull work)(void *_Nullable), void *_Nullable context);
