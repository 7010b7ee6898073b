import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sectionOf } from '../../local/fleets/page';
import { freePort } from '../../local/free-port';
import { isShellHere, openShell, SHELL_NAMES, type ShellName, shellBlocksIn } from '../support/pasted-blocks';
import { createService, type Service } from '../support/service';
import { ok } from '../support/story';

jest.setTimeout(400_000);

/** The second page continues the README. So its blocks are pasted into the same shell after those of the README. */
const PAGES = ['README.md', join('docs', 'by-hand.md')];
/** `offline-trial.nightly.test.ts` pastes this section into a trial that has an offline key store. */
const OFFLINE = 'A transfer from an offline key store';
const pages = PAGES.map((path) => readFileSync(join(__dirname, '..', '..', path), 'utf8')).join('\n');
const text = pages.replace(sectionOf(pages, OFFLINE), '');
/** The shell blocks in order, without those that start, stop or test the project itself. */
const blocks = shellBlocksIn(text).filter((block) => !/^npm /m.test(block));

const everyBlock = shellBlocksIn(pages);

/** Each shell takes more than a minute, so only the nightly run pastes into all of them. */
const PASTED = SHELL_NAMES.filter((name) => name === 'bash' || process.env['STRONGROOM_NIGHTLY'] === 'true');

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
  const shell = openShell(name, folder);
  const printed: string[] = [];
  try {
    for (const [place, block] of blocks.entries()) printed.push(await shell.paste(namedFor(name, block), `block ${place}`));
    return printed;
  } finally {
    shell.close();
  }
}

describe.each(PASTED)('%s', (name) => {
  const testHere = isShellHere(name) ? test : test.skip;
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
    expect(everyBlock.flatMap((block) => block.match(/^\s*#.*|\s# .*$/gm) ?? [])).toEqual([]);
  });

  test('sends a bearer token only to the service', () => {
    const bearers = everyBlock.join('').match(/^.*(\bcall |Bearer ).*$/gm) ?? [];
    expect(bearers.filter((line) => !/"\$API|^call\(\) /.test(line))).toEqual([]);
  });

  test('writes keys where git ignores them', () => {
    const written = [...everyBlock.join('').matchAll(/ -out (\S+)/g)].map(([, path]) => path);
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((path) => !path?.startsWith('.data/'))).toEqual([]);
  });
});
