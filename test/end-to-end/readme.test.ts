import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../local/free-port';
import { createService, type Service } from '../support/service';
import { ok } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(400_000);

/** The second page continues the README. So its blocks are pasted into the same shell after those of the README. */
const PAGES = ['README.md', join('docs', 'by-hand.md')];
const text = PAGES.map((path) => readFileSync(join(__dirname, '..', '..', path), 'utf8')).join('\n');
/** The shell blocks in order, without those that start, stop or test the project itself. */
const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text).filter((text) => !/^npm /m.test(text));

/** The shells that people paste into, with the arguments that skip personal settings. */
const SHELLS = { bash: ['--noprofile', '--norc', '-i'], zsh: ['--no-rcs', '-i'] } as const;
type ShellName = keyof typeof SHELLS;
/** Each shell takes more than a minute, so only the nightly run pastes into all of them. */
const PASTED = (Object.keys(SHELLS) as ShellName[]).filter(
  (name) => name === 'bash' || process.env['STRONGROOM_NIGHTLY'] === 'true',
);
const programOf = (name: ShellName) => process.env[`${name.toUpperCase()}_PATH`] || name;
const isHere = (name: ShellName) => spawnSync(programOf(name), ['-c', 'true']).status === 0;

let service: Service;
let folder: string;
beforeAll(async () => {
  const [bitcoin, solana] = await Promise.all([freePort(), freePort()]);
  const ports = { BITCOIN_PORT: String(bitcoin), SOLANA_PORT: String(solana) };
  service = await createService({ LOCAL_NETWORKS: 'bitcoin,solana', ...ports });
  await service.start();
  folder = mkdtempSync(join(tmpdir(), 'strongroom-readme-'));
  symlinkSync(service.dataFolder, join(folder, '.data'));
});
afterEach(() => service?.rpc('strongroom_setMining', [true]));
afterAll(async () => {
  await service?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Archives the policies of one shell, because these policies would hold the transfers of the next shell. */
async function archivePolicies(): Promise<void> {
  const admin = service.client('admin');
  const { items } = ok(await admin.get('/v2/policies')) as { readonly items: readonly { readonly id: string }[] };
  for (const { id } of items) ok(await admin.change('DELETE', `/v2/policies/${id}`));
}

/** Names are unique in an organisation, and both shells work in one organisation. */
const namedFor = (name: ShellName, block: string) =>
  block.replaceAll(/anna(?=@)|Readers(?=")|Reporting(?=\\")/g, (word) => `${word}-${name}`);

/** Pastes block after block into one interactive shell, and returns the output of each block. */
async function paste(name: ShellName): Promise<readonly string[]> {
  await archivePolicies();
  const shell = spawn(programOf(name), SHELLS[name], { cwd: folder, env: { PATH: process.env['PATH'], PS1: '', PS2: '' } });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const printed: string[] = [];
  try {
    for (const [place, block] of blocks.entries()) {
      const end = `--- end of block ${place} ---`;
      output = '';
      shell.stdin.write(`${namedFor(name, block)}\nprintf '%s%s\\n' '--- end of block ' '${place} ---'\n`);
      await waitUntil(`${name}: block ${place} to end`, () => output.includes(end), 120_000);
      printed.push(output.slice(0, output.indexOf(end)));
    }
    return printed;
  } finally {
    shell.stdin.end();
    shell.kill('SIGKILL');
  }
}

describe.each(PASTED)('%s', (name) => {
  const testHere = isHere(name) ? test : test.skip;
  testHere(
    `runs every pasted block of the README and of docs/by-hand.md (skipped where there is no ${name}; ${name.toUpperCase()}_PATH names one)`,
    async () => {
      const printed = await paste(name);
      const after = (word: string) => printed[blocks.findIndex((block) => block.includes(word))] ?? '';
      const whole = printed.join('\n');
      expect(whole).not.toMatch(/command not found|parse error|syntax error|SyntaxError|TypeError|"error":\{|undefined/i);
      expect(after('"First"')).toContain('"status":"Confirmed"');
      const [faster = '', slow = '', none = '', unwanted = ''] = after('speed-up').match(/\{"id":.*$/gm) ?? [];
      expect([faster, slow, none, unwanted].map((line) => /"status":"(\w+)"/.exec(line)?.[1])).toEqual([
        'Confirmed',
        'Failed',
        'Confirmed',
        'Failed',
      ]);
      expect(after('/abort')).toContain('Aborted on request before anything was signed');
      expect(after('SOLANA=')).toContain('"status":"Confirmed"');
      expect(after('BTC=')).toMatch(/"status":"(Broadcasted|Confirmed)"/);
      expect(after('WHO=approver')).toContain('"status":"Confirmed"');
    },
  );
});

describe('a block', () => {
  test('has no comments, which an interactive zsh runs as commands', () => {
    expect(blocks.flatMap((block) => block.match(/^\s*#.*|\s# .*$/gm) ?? [])).toEqual([]);
  });

  test('sends a bearer token only to the service', () => {
    const bearers = blocks.join('').match(/^.*(\bcall |Bearer ).*$/gm) ?? [];
    expect(bearers.filter((line) => !/"\$API|^call\(\) /.test(line))).toEqual([]);
  });

  test('writes keys where git ignores them', () => {
    const written = [...blocks.join('').matchAll(/ -out (\S+)/g)].map(([, path]) => path);
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((path) => !path?.startsWith('.data/'))).toEqual([]);
  });
});
