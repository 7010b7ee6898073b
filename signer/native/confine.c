#define _GNU_SOURCE
#include "confine.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers of linux/prctl.h, whose copy on the build machine may be older than the kernel. */
#define SET_MDWE 65
#define GET_MDWE 66
#define REFUSE_EXEC_GAIN 1UL

#ifdef __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE_CALL(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), REFUSE

bool deny_new_code(void) {
  prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0UL, 0UL, 0UL);
  int mode = prctl(GET_MDWE, 0UL, 0UL, 0UL, 0UL);
  return mode > 0 && ((unsigned long)mode & REFUSE_EXEC_GAIN) != 0;
}

bool deny_calls(bool needs_network) {
  struct sock_filter rules[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
      REFUSE,
      LOAD(nr),
#ifdef __x86_64__
      /* The x32 interface offers the same calls under other numbers, so the filter refuses all calls of x32. */
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE,
#endif
      REFUSE_CALL(execve),
      REFUSE_CALL(execveat),
      REFUSE_CALL(ptrace),
      REFUSE_CALL(process_vm_readv),
      REFUSE_CALL(process_vm_writev),
      REFUSE_CALL(bpf),
      REFUSE_CALL(perf_event_open),
      REFUSE_CALL(userfaultfd),
      REFUSE_CALL(init_module),
      REFUSE_CALL(finit_module),
      REFUSE_CALL(kexec_load),
      REFUSE_CALL(mount),
      REFUSE_CALL(keyctl),
      REFUSE_CALL(add_key),
      REFUSE_CALL(request_key),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, needs_network ? 0xffffffff : SYS_socket, 0, 3),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
      REFUSE,
      ALLOW,
  };
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return false;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}
#else
bool deny_new_code(void) { return false; }

bool deny_calls(bool needs_network) {
  (void)needs_network;
  return false;
}
#endif
