/* Gives up rights that the signer never needs. */
#ifndef STRONGROOM_CONFINE_H
#define STRONGROOM_CONFINE_H
#include <stdbool.h>

/*
 * After this call, no memory of this process can become executable (Linux 6.3 or newer). Returns false if the system cannot
 * guarantee that.
 */
bool deny_new_code(void);
/*
 * After this call, no thread of this process can start a program, read the memory of another process or load code into the
 * kernel. Unless the process needs a network, it can open only sockets of AF_UNIX. Returns false if the system cannot guarantee
 * that.
 */
bool deny_calls(bool needs_network);

#endif
