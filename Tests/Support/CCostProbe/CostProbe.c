#include "CostProbe.h"

__attribute__((noinline)) void helium_measured_work(void (*work)(void *), void *context) {
    work(context);
    // Keeps the call from becoming a jump, after which there would be no function to leave.
    __asm__ volatile("" ::: "memory");
}
