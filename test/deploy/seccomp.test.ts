import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { keyOrder, temporaryFolder } from '../signer/fixtures';
import { compileSigner, installSigner } from '../signer/process';
import { ROOT } from '../support/compose';
import { HAS_NATIVE } from '../support/native-arithmetic';

const Profile = z.looseObject({
  defaultAction: z.literal('SCMP_ACT_ERRNO'),
  syscalls: z.array(
    z.looseObject({
      names: z.array(z.string().regex(/^\w+$/)),
      action: z.literal('SCMP_ACT_ALLOW'),
      args: z
        .array(z.strictObject({ index: z.literal(0), value: z.number(), op: z.literal('SCMP_CMP_EQ') }))
        .length(1)
        .optional(),
    }),
  ),
});
const { syscalls } = Profile.parse(JSON.parse(readFileSync(join(ROOT, 'deploy', 'seccomp', 'signer.json'), 'utf8')));
const unconditional = syscalls.filter(({ args }) => args === undefined).flatMap(({ names }) => names);

test.each([
  'ptrace',
  'process_vm_readv',
  'socket',
  'bpf',
  'mount',
  'unshare',
  'keyctl',
  'userfaultfd',
  'perf_event_open',
  'setns',
])('the profile does not allow %s', (name) => {
  expect(unconditional).not.toContain(name);
});

/** Compiles a program that applies the profile to itself, as a container's runtime does, and then becomes another program. */
function confine(folder: string): string {
  const allowed = unconditional.map((name) => `#ifdef SYS_${name}\nCALL(SYS_${name}),\n#endif`).join('\n');
  const withArgument = syscalls.flatMap(({ names, args }) =>
    (args ?? []).flatMap(({ value }) =>
      names.map((name) => `BPF_JUMP(JEQ, SYS_${name}, 0, 3), LOAD(args[0]), BPF_JUMP(JEQ, ${value}, 0, 1), ALLOW, LOAD(nr),`),
    ),
  );
  const source = `#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#define JEQ (BPF_JMP | BPF_JEQ | BPF_K)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define CALL(nr) BPF_JUMP(JEQ, nr, 0, 1), ALLOW
int main(int count, char **words) {
  struct sock_filter rules[] = {LOAD(nr),
${allowed}
${withArgument.join('\n')}
BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1)};
  struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
  if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 9;
  execvp(words[1], words + 1);
  return 8;
}
`;
  const file = join(folder, 'confine.c');
  writeFileSync(file, source);
  const compiled = spawnSync('cc', ['-O1', '-w', file, '-o', join(folder, 'confine')], { encoding: 'utf8' });
  expect(compiled.stderr).toBe('');
  return join(folder, 'confine');
}

describe('under the profile', () => {
  const folder = temporaryFolder();
  const compiled = compileSigner();
  const signer = installSigner(compiled.main);
  afterAll(() => {
    signer.remove();
    compiled.remove();
    folder.remove();
  });
  const testOnLinux = HAS_NATIVE && process.platform === 'linux' ? test : test.failing;

  testOnLinux('a network is refused', () => {
    const source = "require('node:net').connect(9, '127.0.0.1').once('error', ({ code }) => console.log(code))";
    const { stdout } = spawnSync(confine(folder.path), [process.execPath, '-e', source], { encoding: 'utf8' });
    expect(stdout.trim()).toMatch(/EPERM|EACCES/);
  });

  testOnLinux('the signer starts without a warning, makes a key and ends', async () => {
    const { child, output, exited } = await signer.start(undefined, {}, undefined, [confine(folder.path)]);
    const client = signer.client();
    expect(await client.createKey(keyOrder('key-1'))).toMatchObject({ sealed: { keyId: 'key-1' } });
    await client.close();
    expect(output()).not.toContain('a protection is missing');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
