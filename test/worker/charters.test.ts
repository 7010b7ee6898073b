import { charterStore } from '../../entities/charters/charter.store';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import { createLogger } from '../../platform/logger';
import { readCharters } from '../../worker/charters';
import { charterText } from '../support/charter-rows';
import { createTestDatabase, type TestDatabase } from '../support/database';

const PART_CHARS = 100;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

type Listed = { readonly orgId: string; readonly sequence: number; readonly text: string; readonly digest?: string };

/** A signer that lists one charter for each page, and returns texts in short parts. */
function signerOf(charters: readonly Listed[]) {
  let reads = 0;
  const headOf = ({ orgId, sequence, text, digest = sha256Hex(text) }: Listed) => ({ orgId, sequence, digest });
  return {
    reads: () => reads,
    listCharters: async ({ after = '' }: { readonly after?: string }) => ({
      charters: charters
        .filter(({ orgId }) => orgId > after)
        .slice(0, 1)
        .map(headOf),
    }),
    readCharter: async ({ orgId, offset }: { readonly orgId: string; readonly offset: number }) => {
      reads += 1;
      const found = charters.find((one) => one.orgId === orgId);
      if (!found) return { charter: null };
      const { sequence, digest } = headOf(found);
      const part = found.text.slice(offset, offset + PART_CHARS);
      return { charter: { sequence, digest, chars: found.text.length, part } };
    },
  };
}
const written: string[] = [];
const logger = createLogger('worker', 'debug', { write: (line) => void written.push(line) });
const read = (signer: ReturnType<typeof signerOf>, compared = new Map<string, string>()) =>
  readCharters({ signer, db: database.db, logger }, compared);
const known = async (orgId: string) => (await charterStore.find(database.db.read(orgId)))?.text;
const heads = async (orgId: string) =>
  (await charterStore.heads(database.db.read(orgId), { after: undefined, limit: 10 })).map(({ sequence }) => sequence);

test('each charter is read in parts, once, and a later charter replaces it as the current one', async () => {
  const [one, other] = [await database.createOrganization(), await database.createOrganization()];
  const listed = [one, other].map((orgId) => ({ orgId, sequence: 1, text: charterText(orgId) }));
  const signer = signerOf(listed);
  await read(signer);
  expect([await known(one), await known(other)]).toEqual(listed.map(({ text }) => text));
  const reads = signer.reads();
  expect(reads).toBeGreaterThan(listed.length);
  await read(signer);
  expect(signer.reads()).toBe(reads);
  const next = charterText(one, 2);
  await read(signerOf([{ orgId: one, sequence: 2, text: next }]));
  expect([await known(one), await heads(one), await heads(other)]).toEqual([next, [2, 1], [1]]);
});

test('a text that does not match its digest is not stored, and the charters after it are still read', async () => {
  const [one, other] = [await database.createOrganization(), await database.createOrganization()];
  const text = charterText(other);
  await read(
    signerOf([
      { orgId: one, sequence: 1, text: charterText(one), digest: 'ab'.repeat(32) },
      { orgId: other, sequence: 1, text },
    ]),
  );
  expect([await known(one), await known(other)]).toEqual([undefined, text]);
});

test('a charter that was compared before is read again only after its digest has changed', async () => {
  const orgId = await database.createOrganization();
  const [first, second] = [charterText(orgId), charterText(orgId, 2)];
  const compared = new Map<string, string>();
  await read(signerOf([{ orgId, sequence: 1, text: first }]), compared);
  await database.arrange(`UPDATE charters SET digest = 'older' WHERE org_id = $1`, [orgId]);
  const unchanged = signerOf([{ orgId, sequence: 1, text: first }]);
  await read(unchanged, compared);
  expect(unchanged.reads()).toBe(0);
  await read(signerOf([{ orgId, sequence: 2, text: second }]), compared);
  expect(await known(orgId)).toBe(second);
  compared.clear();
  await read(signerOf([{ orgId, sequence: 1, text: first }]), compared);
  expect(await known(orgId)).toBe(first);
});

test('the charter of an organisation that the database lacks is not read', async () => {
  const signer = signerOf([{ orgId: newId('organization'), sequence: 1, text: '{}' }]);
  await read(signer);
  expect(signer.reads()).toBe(0);
});
