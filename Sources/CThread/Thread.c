#define _GNU_SOURCE
#include "CThread.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

struct start {
    const char *name;
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
#if defined(__APPLE__)
    pthread_setname_np(start.name);
#else
    pthread_setname_np(pthread_self(), start.name);
#endif
    start.body(start.context);
    return NULL;
}

int helium_thread_start(helium_thread *thread, const char *name, void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    start->name = name;
    start->body = body;
    start->context = context;
    // A new thread inherits its creator's mask, so there is no moment in which a signal could get through.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread->thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) free(start);
    return error;
}

void helium_thread_join(helium_thread thread) { pthread_join(thread.thread, NULL); }

void helium_thread_detach(helium_thread thread) { pthread_detach(thread.thread); }
