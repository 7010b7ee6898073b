import { generateKeyPairSync } from 'node:crypto';
import { inputDigest } from '../../../../platform/fleets/inputs';
import { manifestDigest } from '../../../../platform/fleets/manifests';
import type { FleetApprovedEntry } from '../../../../signer/record/fleets/fleet-entries';
import { verifyFolder } from '../../../../signer/record/verification/verify-folder';
import { kekOf, NOW_MS, ORG, openOperations, temporaryFolder } from '../../fixtures';
import { entryText, signedBy } from '../../key-stores/storing';
import { addStore, assignOrder, formOf, OFFLINE, PEOPLE, poolKey, type Signer, withGenesis } from '../../orders/fleets/fleeting';

const operator = generateKeyPairSync('ed25519');
const work = temporaryFolder();
afterAll(work.remove);
let folder: ReturnType<typeof temporaryFolder>;
let signer: Signer;
let genesis: Awaited<ReturnType<typeof withGenesis>>;
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path, () => NOW_MS, undefined, undefined, operator.publicKey);
  await addStore(signer, operator.privateKey);
  genesis = await withGenesis(signer);
  await signer.assignFleetKey(assignOrder(poolKey(genesis.fleet, 0), 'key-off-1'));
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const faults = async () => {
  const report = await verifyFolder({
    stateDir: folder.path,
    kek: kekOf(7),
    operatorKey: operator.publicKey,
    workDir: work.path,
  });
  return report.faults.map(({ fault }) => fault);
};

/** An entry that only someone with the journal's key could put into the journal. */
const entry = (changes: Partial<FleetApprovedEntry> = {}): FleetApprovedEntry => {
  const { head, input } = genesis;
  const manifest = { ...head, n: 1, previous: manifestDigest(head) };
  return {
    ...{ kind: 'FleetApproved', orgId: ORG, storeId: OFFLINE, groupId: 'fg-planted', previous: manifestDigest(head) },
    ...{ digest: manifestDigest(manifest), manifest, inputDigest: input.groupId, outputDigest: '1'.repeat(64), keys: [] },
    ...{ createdBy: PEOPLE.createdBy, submittedBy: PEOPLE.submittedBy, reviewers: [PEOPLE.reviewedBy] },
    ...changes,
  };
};

test('the journal of a store with a fleet has no faults', async () => {
  expect(await faults()).toEqual([]);
});

test.each<[string, () => FleetApprovedEntry, string]>([
  ['without an input', () => entry(), 'has no input that the signer sealed'],
  ['with another digest', () => entry({ digest: '2'.repeat(64) }), 'has a manifest with another digest'],
  ['on another branch', () => entry({ previous: null }), 'does not continue the manifest before it'],
  ['reviewed by its maker', () => entry({ reviewers: [PEOPLE.createdBy] }), 'was reviewed by a user who created or submitted it'],
  ['without a reviewer', () => entry({ reviewers: [] }), 'was reviewed by a user who created or submitted it'],
  ['with a key of another ceremony', () => entry({ keys: [poolKey(genesis.fleet, 0)] }), 'which an earlier ceremony has'],
])('a ceremony %s is a fault', async (_title, planted, fault) => {
  await signer.journal.append(planted());
  expect(await faults()).toContainEqual(expect.stringContaining(`the ceremony fg-planted of ${ORG} `));
  expect(await faults()).toContainEqual(expect.stringContaining(fault));
});

test('a ceremony with fewer reviewers than the operator demanded at its time is a fault', async () => {
  const fewer = expect.stringContaining('was reviewed by fewer than the 2 people whom its key store demands');
  const demand = { kind: 'SetReviewers', storeId: OFFLINE, reviewers: 2 };
  await signer.keyStores.changeKeyStores(signedBy(operator.privateKey, entryText(signer, demand)));
  expect(await faults()).toEqual([]);
  await signer.journal.append(entry({ reviewers: ['us-cyd', 'us-dan'] }));
  expect(await faults()).not.toContainEqual(fewer);
  await signer.journal.append(entry({ reviewers: ['us-cyd', 'us-cyd'] }));
  expect(await faults()).toContainEqual(fewer);
});

test('proofs of control without an input of their kind are a fault', async () => {
  const planted = {
    kind: 'FleetProven',
    orgId: ORG,
    storeId: OFFLINE,
    outputDigest: '1'.repeat(64),
    walletIds: ['wa-1'],
  } as const;
  const { groupId } = genesis.input;
  await signer.journal.append({ ...planted, groupId: 'fg-planted', inputDigest: '2'.repeat(64) });
  await signer.journal.append({ ...planted, groupId, inputDigest: inputDigest(genesis.input) });
  const fault = 'has no input that the signer sealed';
  expect(await faults()).toEqual(['fg-planted', groupId].map((id) => `the proof of control ${id} of ${ORG} ${fault}`));
});

test('a key without a ceremony, a key with two ids, and a vouch for an unassigned key are faults', async () => {
  const key = { orgId: ORG, storeId: OFFLINE, ...formOf(poolKey(genesis.fleet, 1)) } as const;
  await signer.journal.append({ kind: 'FleetKeyAssigned', assigned: { ...key, keyId: 'key-x', publicKeyHex: '02'.repeat(33) } });
  await signer.journal.append({
    kind: 'FleetKeyAssigned',
    assigned: { ...key, keyId: 'key-off-2', ...formOf(poolKey(genesis.fleet, 0)) },
  });
  const digest = '3'.repeat(64);
  const vouched = { storeId: OFFLINE, orderDigest: digest, dateVouched: new Date(NOW_MS).toISOString(), messages: [digest] };
  const signed = { requestId: 'xfr-1', orgId: ORG, keyId: 'key-none', intentDigest: digest, payloadDigest: digest, vouched };
  await signer.journal.append({ kind: 'Signed', signed, result: { digestHex: `0x${digest}`, signatures: [] } });
  expect(await faults()).toEqual([
    'the key key-x is not of a ceremony of its store',
    'the key key-off-2 was assigned twice',
    `the vouch for xfr-1 of ${ORG} is for a key that its store does not have`,
  ]);
});
