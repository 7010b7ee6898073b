import { readAdoptedCharters } from '../../../signer/charters/adopted-charters';
import { charterDigest } from '../../../signer/charters/charter';
import { createCharterChain } from '../../../signer/charters/charter-chain';
import { charterName, charterTextName } from '../../../signer/record/charter-entries';
import { NOW_MS, ORG, refusedAs, temporaryFolder } from '../fixtures';
import { type Chartered, openChartered } from './chartered';

const NOW = new Date(NOW_MS).toISOString();

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

/** A charter chain that reads from an index with these values. */
function chainOver(values: Readonly<Record<string, unknown>>) {
  const index = { get: (name: string) => values[name] };
  return createCharterChain({ index, append: async () => undefined } as never);
}

test.each([
  ['is missing', undefined],
  ['is not a charter', '{}'],
  ['has a different digest', 'the charter'],
])('if the stored charter of an organisation %s, the organisation is not judged as one without a charter', (_what, found) => {
  const whole = JSON.stringify(office.charter);
  const text = found === 'the charter' ? whole : found;
  const digest = found === '{}' ? charterDigest('{}') : charterDigest(`${whole} `);
  const chain = chainOver({ [charterName(ORG)]: { sequence: 1, digest }, [charterTextName(ORG)]: text });
  expect(() => chain.of(ORG)).toThrow(`the charter of ${ORG} cannot be read`);
});

test('the chain refuses a change if the organisation does not have a charter', async () => {
  const { charters } = office.signer;
  const amending = { orgId: ORG, amendmentId: 'amd-1', amendment: 'tagWallet', action: 'a', dateIssued: NOW } as const;
  await expect(charters.amend({ ...amending, changes: [], evidence: [] })).rejects.toEqual(refusedAs('NotInCharter'));
  const restricted = { kind: 'CharterRestricted', orgId: ORG, restriction: '', credentialId: 'c', signature: '' } as const;
  await expect(chainOver({}).changed({ ...restricted, changes: [], dateIssued: NOW })).rejects.toEqual(refusedAs('NotInCharter'));
});

test('the recorded charters are read from a journal only if every charter in it can be read', async () => {
  const empty = temporaryFolder();
  await expect(readAdoptedCharters(empty.path)).rejects.toThrow(`${empty.path} has no journal of a signer`);
  empty.remove();
  await office.adopt();
  await office.signer.close();
  expect([...(await readAdoptedCharters(office.folder.path)).keys()]).toEqual([ORG]);
  const again = await office.open();
  const entry = { kind: 'CharterAdopted', orgId: ORG, sequence: 2, dateAdopted: NOW, signature: '' } as const;
  await again.journal.append({ ...entry, charter: '{}', digest: charterDigest('{}') });
  await again.close();
  await expect(readAdoptedCharters(office.folder.path)).rejects.toThrow(`the charter of ${ORG} cannot be read`);
  office = { ...office, signer: await office.open() };
});
