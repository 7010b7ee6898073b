import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createWitness, type Witnessed, WitnessUrl } from '../../platform/checkpoint-witness';
import { temporaryFolder } from '../signer/fixtures';

const [ORG, OTHER_ORG] = ['or-00000-00000-0000000000000001', 'or-00000-00000-0000000000000002'];
const witnessed = (sequence: number, orgId = ORG, chain: Witnessed['chain'] = 'audit'): Witnessed => ({
  ...{ orgId, chain, statement: `statement ${sequence}`, signature: `signature ${sequence}` },
});
const lineOf = ({ orgId: _orgId, ...line }: Witnessed) => `${JSON.stringify(line)}\n`;

describe('a folder', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  const witness = (path = folder.path) => createWitness(pathToFileURL(`${path}/`).href);
  const fileOf = (orgId: string) => join(folder.path, `${orgId}.jsonl`);

  test('has one file for each organisation, and adds each checkpoint as a line at the end of the file', async () => {
    await witness().keep([witnessed(1), witnessed(7, OTHER_ORG), witnessed(4, ORG, 'feed')]);
    await witness().keep([witnessed(2)]);
    expect(readFileSync(fileOf(ORG), 'utf8')).toBe([witnessed(1), witnessed(4, ORG, 'feed'), witnessed(2)].map(lineOf).join(''));
    expect(readFileSync(fileOf(OTHER_ORG), 'utf8')).toBe(lineOf(witnessed(7, OTHER_ORG)));
  });

  test('keeps an incomplete line that a crash has left, and begins the next checkpoint on a new line', async () => {
    await witness().keep([witnessed(1), witnessed(2)]);
    const whole = readFileSync(fileOf(ORG), 'utf8');
    truncateSync(fileOf(ORG), whole.length - 5);
    await witness().keep([witnessed(2)]);
    await witness().keep([witnessed(3)]);
    const lines = readFileSync(fileOf(ORG), 'utf8').split('\n');
    expect(lines).toEqual(
      [witnessed(1), witnessed(2), witnessed(2), witnessed(3)]
        .map((one, at) => lineOf(one).slice(0, at === 1 ? -5 : -1))
        .concat(''),
    );
    appendFileSync(fileOf(ORG), '\n');
    await witness().keep([witnessed(4)]);
    expect(readFileSync(fileOf(ORG), 'utf8')).toContain(`\n\n${lineOf(witnessed(4))}`);
  });

  test('that does not exist is not created', async () => {
    const missing = join(folder.path, 'missing');
    await expect(witness(missing).keep([witnessed(1)])).rejects.toThrow('ENOENT');
    expect(existsSync(missing)).toBe(false);
  });
});

describe('an address', () => {
  async function receiver(status: number) {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8');
      });
      request.on('end', () => {
        bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/witness`;
    return { url, bodies, close: () => server.close() };
  }

  test.each([
    [200, true],
    [204, true],
    [302, false],
    [404, false],
    [503, false],
  ])('that returns %s has acknowledged: %s', async (status, isKept) => {
    const { url, bodies, close } = await receiver(status);
    const both = [witnessed(1), witnessed(2, OTHER_ORG, 'feed')];
    const kept = createWitness(url).keep(both);
    if (isKept) await kept;
    else await expect(kept).rejects.toThrow(`answered ${status}`);
    close();
    expect(bodies).toEqual([`POST application/x-ndjson ${both.map(lineOf).join('')}`]);
  });

  test('that does not reply causes a failure', async () => {
    const { url, close } = await receiver(200);
    close();
    await expect(createWitness(url).keep([witnessed(1)])).rejects.toThrow('ECONNREFUSED');
  });
});

test.each([
  ['file:///var/witness/', true],
  ['https://witness.example/checkpoints', true],
  ['http://127.0.0.1:9000/', true],
  ['/var/witness', false],
  ['ftp://witness.example/', false],
])('%s is accepted as a witness (a place that stores checkpoints): %s', (text, is) => {
  expect(WitnessUrl.safeParse(text).success).toBe(is);
});
