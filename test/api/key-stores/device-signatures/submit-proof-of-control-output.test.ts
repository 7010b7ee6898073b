import { createPublicKey, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { SignOutputJson } from '../../../../platform/fleets/outputs';
import { noteAnswer } from '../../../support/examples';
import { type FleetApi, type StoreApi, startFleetApi } from '../../../support/fleet-api';
import type { MadeOutput } from '../../../support/fleet-outputs';
import { refusedBySigner } from '../../../support/fleet-steps';
import { checksumOf } from '../../../support/fleet-story';
import { addStoreWallet, type ProofOutput, type Proving, provingAt, type StoreWallet } from '../../../support/proving-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let fleets: FleetApi;
let store: StoreApi;
let proving: Proving;
let wallets: readonly [StoreWallet, StoreWallet];
let walletIds: readonly string[];
beforeAll(async () => {
  fleets = await startFleetApi();
  store = fleets.newStore();
  proving = provingAt(fleets, store);
  await store.play();
  wallets = [await addStoreWallet(fleets, store.storeId), await addStoreWallet(fleets, store.storeId, 'SolanaDevnet')];
  walletIds = wallets.map(({ id }) => id);
}, START_LIMIT_MS);
afterAll(() => fleets?.close());
afterEach(async () => {
  Object.assign(fleets.signer, { before: () => undefined, after: () => undefined });
  fleets.signer.proven.splice(0);
  if ((await store.group()).status === 'Initialized') await cancel();
});

const cancel = async () => {
  const { groupId } = await store.group();
  const body = { groupId, reason: 'asked for the wrong wallets' };
  return fleets.maker.client.change('POST', `/key-stores/${store.storeId}/fleet-operations/cancel`, body);
};
type Proof = Readonly<Record<'walletId' | 'network' | 'address' | 'curve' | 'publicKey' | 'statement' | 'signature', string>>;
type Details = { readonly status: string; readonly proofs?: readonly Proof[] };
const details = async (): Promise<Details> => {
  const { groupId } = await store.group();
  const { body } = await fleets.maker.client.get(`/key-stores/${store.storeId}/fleet-operations/${groupId}`);
  return body as Details;
};

/** The id of each operation is another in each run. */
const shown = ({ outputJson, file }: ProofOutput) => ({
  fileChecksum: checksumOf(file),
  outputJson: { ...outputJson, outputs: { 'fo-01m8q-a0000-0000000000000000': Object.values(outputJson.outputs)[0] } },
});

type Success = Record<'signer_public_key' | 'prefix' | 'message' | 'exact_bytes_signed' | 'signature', string>;
const successes = ({ outputJson }: MadeOutput): readonly Success[] =>
  Object.values((outputJson as SignOutputJson).outputs).map(({ result }) => (result as { success: Success }).success);

const point = (publicKey: string) => {
  const hex = secp256k1.Point.fromHex(publicKey).toHex(false);
  const word = (from: number) => Buffer.from(hex.slice(from, from + 64), 'hex').toString('base64url');
  return { kty: 'EC', crv: 'secp256k1', x: word(2), y: word(66) };
};
/** As a third party verifies a proof, with Node's own cryptography. */
const isProof = ({ curve, publicKey, statement, signature }: Proof): boolean => {
  const isCoin = curve === 'secp256k1';
  const okp = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') };
  const key = createPublicKey({ key: isCoin ? point(publicKey) : okp, format: 'jwk' });
  const text = Buffer.from(statement, 'utf8');
  return verify(isCoin ? 'sha256' : null, text, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'hex'));
};

test('200: the proofs are accepted without a review, the signer records them, and a third party can verify them', async () => {
  const output = await proving.output(walletIds);
  const before = await details();
  const { status, body } = await proving.submit(output, fleets.carrier);
  expect([status, body]).toEqual([200, { status: 'success' }]);
  noteAnswer('submitProofOfControlOutput', shown(output), { status, body }, { storeId: store.storeId });
  const after = await details();
  expect([before.status, before.proofs, after.status]).toEqual(['Initialized', undefined, 'Approved']);
  expect(after.proofs).toMatchObject(wallets.map(({ id, network, address }) => ({ walletId: id, network, address })));
  for (const [at, proof] of (after.proofs ?? []).entries()) {
    expect(proof.statement).toMatch(/^strongroom proof of control, not a transaction: The organisation or-/);
    for (const part of [fleets.orgId, wallets[at]?.id, wallets[at]?.address]) expect(proof.statement).toContain(part);
    expect([isProof(proof), isProof({ ...proof, statement: `${proof.statement}.` })]).toEqual([true, false]);
  }
  const { groupId } = await store.group();
  expect(fleets.signer.proven).toMatchObject([{ requestId: groupId, orgId: fleets.orgId, file: output.file }]);
});

test('200: the device refuses one of two wallets, which has no proof', async () => {
  const [first, second] = wallets;
  const { body } = await proving.submit(await proving.output(walletIds, [second.id]));
  expect(body).toEqual({ status: 'partial' });
  const { proofs, status } = await details();
  expect([status, proofs?.map(({ walletId }) => walletId)]).toEqual(['Approved', [first.id]]);
  expect(await store.group()).toMatchObject({ operations: [{ status: 'Approved' }, { status: 'Rejected' }] });
});

const FAULTS: readonly (readonly [string, string, (made: MadeOutput) => void])[] = [
  ['without the prefix', 'ExactBytes', (made) => Object.assign(successes(made)[0] ?? {}, { prefix: '' })],
  ['of another message', 'ExactBytes', (made) => Object.assign(successes(made)[1] ?? {}, { message: 'We owe you the moon.' })],
  ['over other bytes', 'ExactBytes', (made) => Object.assign(successes(made)[0] ?? {}, { exact_bytes_signed: '00' })],
  [
    'by another key',
    'SignerKey',
    (made) => Object.assign(successes(made)[0] ?? {}, { signer_public_key: `02${'11'.repeat(32)}` }),
  ],
  ['with a bad signature', 'Signature', (made) => Object.assign(successes(made)[1] ?? {}, { signature: '11'.repeat(64) })],
  ['with another status', 'Status', (made) => Object.assign(made.outputJson, { status: 'partial' })],
  ['for another store', 'Store', (made) => Object.assign(made.outputJson, { keystore_id: 'vault-0' })],
  ['with new keys', 'Excess', (made) => Object.assign(made.output, { manifest: null, boxes: [BOX] })],
];
const BOX = { provisioner: '0'.repeat(64), enc: '0'.repeat(64), sealed: 'AAAA', shareDigest: '0'.repeat(64) };

test('400: an output with a fault is refused, consumes nothing, and the genuine output is accepted afterwards', async () => {
  const { body: archive } = await proving.begin(walletIds);
  const { groupId } = await store.group();
  for (const [title, check, change] of FAULTS)
    expect([title, await proving.submit(proving.answer(archive, [], change))]).toMatchObject([
      title,
      refusal(400, 'FleetOutputInvalid', { check, groupId }),
    ]);
  expect([(await details()).status, fleets.signer.proven]).toEqual(['Initialized', []]);
  expect((await proving.submit(proving.answer(archive))).status).toBe(200);
});

test('400: the signer refuses the proofs, which the group then does not have', async () => {
  const output = await proving.output(walletIds);
  fleets.signer.before = () => {
    throw refusedBySigner('FleetOutputInvalid');
  };
  const { groupId } = await store.group();
  expect(await proving.submit(output)).toMatchObject(refusal(400, 'FleetOutputInvalid', { check: 'SignerRecord', groupId }));
  fleets.signer.before = () => undefined;
  expect((await proving.submit(output)).status).toBe(200);
});

test('400: the group waits for proofs, and the output is submitted as signatures of requests', async () => {
  const output = await proving.output(walletIds);
  const { groupId } = await store.group();
  const other = `/key-stores/${store.storeId}/onchain-sign/output`;
  expect(await proving.submit(output, undefined, other)).toMatchObject(
    refusal(400, 'FleetOutputInvalid', { check: 'Kind', groupId }),
  );
  expect((await proving.submit(output)).status).toBe(200);
});

test('403: an end user, and a person without the permission', async () => {
  const output = await proving.output(walletIds);
  const operations = ['KeyStores:Read', 'KeyStores:Instructions:Keys:Sign'];
  const signer = await fleets.api.createPerson(fleets.orgId, { operations });
  for (const by of [fleets.endUser, signer]) expect((await proving.submit(output, by)).status).toBe(403);
});

test('404: the key store is of another organisation', async () => {
  expect((await proving.submit(await proving.output(walletIds), fleets.stranger)).status).toBe(404);
});

test('409: an output without a proof ends the group, and the signer records nothing', async () => {
  const output = await proving.output(walletIds, walletIds);
  const { groupId } = await store.group();
  expect(await proving.submit(output)).toMatchObject(refusal(409, 'NothingSigned', { groupId }));
  expect([(await details()).status, (await details()).proofs, fleets.signer.proven]).toEqual(['Canceled', undefined, []]);
  expect((await proving.begin(walletIds)).status).toBe(200);
});

test('409: the group was canceled, or another output of it was accepted', async () => {
  const output = await proving.output(walletIds);
  const { groupId } = await store.group();
  await cancel();
  expect(await proving.submit(output)).toMatchObject(refusal(409, 'WrongState', { groupId, status: 'Canceled' }));
  const next = await proving.output(walletIds);
  const answers = await Promise.all([proving.submit(next), proving.submit(next)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
