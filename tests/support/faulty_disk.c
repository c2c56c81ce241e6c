/* A disk that fails or is slow, for the programs that have this library in LD_PRELOAD, and below one folder only.

   FAULTY_FOLDER  the folder, FAULTY_CALL  one of the calls below or "all"
   FAULTY_AT      the number of the first call that fails, from 1, as all after it do; 0 for none
   FAULTY_ERRNO   with what, FAULTY_MILLISECONDS  how long each takes besides */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int calls;

static int number(const char *name) {
    const char *said = getenv(name);
    return said ? atoi(said) : 0;
}

/* Whether a call on an open file fails; errno is set then. */
static int fails(const char *call, int file) {
    const char *folder = getenv("FAULTY_FOLDER"), *which = getenv("FAULTY_CALL");
    char place[32], path[4096];
    if (!folder || !which || file < 0 || (strcmp(which, "all") && strcmp(which, call))) return 0;
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    int before = errno;
    ssize_t length = readlink(place, path, sizeof path - 1);
    errno = before;
    if (length <= 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder))) return 0;
    usleep(1000 * number("FAULTY_MILLISECONDS"));
    int at = number("FAULTY_AT");
    if (!at || __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) < at) return 0;
    errno = number("FAULTY_ERRNO");
    return 1;
}

#define REAL(name, type) __typeof__(type) real = (__typeof__(type))dlsym(RTLD_NEXT, name)

static int opened(int file) {
    if (!fails("open", file)) return file;
    int why = errno;
    close(file);
    errno = why;
    return -1;
}

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        REAL(#name, int (*)(const char *, int, mode_t));                  \
        va_list more;                                                     \
        va_start(more, flags);                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                     \
        return opened(real(path, flags, mode));                           \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                      \
    int name(int folder, const char *path, int flags, ...) {              \
        REAL(#name, int (*)(int, const char *, int, mode_t));             \
        va_list more;                                                     \
        va_start(more, flags);                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                     \
        return opened(real(folder, path, flags, mode));                   \
    }
OPENAT(openat)
OPENAT(openat64)

ssize_t read(int file, void *into, size_t most) {
    REAL("read", ssize_t (*)(int, void *, size_t));
    return fails("read", file) ? -1 : real(file, into, most);
}

ssize_t write(int file, const void *from, size_t most) {
    REAL("write", ssize_t (*)(int, const void *, size_t));
    return fails("write", file) ? -1 : real(file, from, most);
}

int fsync(int file) {
    REAL("fsync", int (*)(int));
    return fails("fsync", file) ? -1 : real(file);
}

struct dirent *readdir(DIR *folder) {
    REAL("readdir", struct dirent *(*)(DIR *));
    return fails("readdir", dirfd(folder)) ? NULL : real(folder);
}

struct dirent64 *readdir64(DIR *folder) {
    REAL("readdir64", struct dirent64 *(*)(DIR *));
    return fails("readdir", dirfd(folder)) ? NULL : real(folder);
}
