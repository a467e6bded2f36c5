#ifndef HELIUM_PEER_FAILURE_H
#define HELIUM_PEER_FAILURE_H

/// Prints a message to standard error and ends the program with status 1.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/// Returns memory that was allocated, or fails if there was none.
void *checked(void *memory);

#endif
