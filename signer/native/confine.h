/* Gives up rights that the signer never needs. */
#ifndef STRONGROOM_CONFINE_H
#define STRONGROOM_CONFINE_H
#include <stdbool.h>

/* From here on no memory of this process becomes executable (Linux 6.3 or newer); false where the system cannot promise it. */
bool deny_new_code(void);
/*
 * From here on no thread of this process starts a program, reads the memory of another process, loads code into the kernel or, unless it
 * needs a network, opens a socket of another kind than AF_UNIX; false where the system cannot promise it.
 */
bool deny_calls(bool needs_network);

#endif
