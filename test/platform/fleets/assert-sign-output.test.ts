import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { assertSignOutput, type MessagesOf } from '../../../platform/fleets/assert-sign-output';
import { FleetFault } from '../../../platform/fleets/checks';
import { CONTROL_PROOF_PREFIX } from '../../../platform/fleets/control-proofs';
import type { FleetInput, ProofRequest, SignRequest } from '../../../platform/fleets/inputs';
import type { SignedManifest } from '../../../platform/fleets/manifests';
import type { SignOutputJson } from '../../../platform/fleets/outputs';
import {
  ceremonyOutput,
  createFleet,
  fleetInput,
  genesisTask,
  type MadeOutput,
  outputFile,
  sealOutput,
} from '../../support/fleet-outputs';
import { createParty, keyOf, provenKey, signWith } from '../../support/fleet-parties';

const fleet = createFleet();
const [device] = fleet.devices;
const genesis = ceremonyOutput({ fleet, input: fleetInput(genesisTask({ secp256k1: 1, ed25519: 1 }), null), head: null });
const { manifest: head } = genesis.output.manifest as SignedManifest;
const KEYS = { secp256k1: keyOf(fleet.master, 'secp256k1', 0), ed25519: keyOf(fleet.master, 'ed25519', 0) };

const MESSAGES: Readonly<Record<string, readonly Uint8Array[]>> = {
  'rq-a': [createHash('sha256').update('one').digest(), createHash('sha256').update('two').digest()],
  'rq-b': [Buffer.from('a whole message of Solana')],
};
const messagesOf: MessagesOf = (requestId) => MESSAGES[requestId] ?? [];

const VOUCHED = { vouch: '{}', signed: { by: '0'.repeat(64), signature: Buffer.alloc(64).toString('base64') } };
const REQUESTS: readonly SignRequest[] = [
  { operationId: 'op-a', requestId: 'rq-a', op: 'vouchUtxo', key: KEYS.secp256k1, order: '{}', vouched: VOUCHED },
  { operationId: 'op-b', requestId: 'rq-b', op: 'vouchSolana', key: KEYS.ed25519, order: '{}', vouched: VOUCHED },
];
const PROOFS: readonly ProofRequest[] = (['secp256k1', 'ed25519'] as const).map((curve) => ({
  ...{ operationId: `op-${curve}`, walletId: `wa-${curve}`, network: 'Ethereum', address: '0x1', key: KEYS[curve] },
  message: 'I hold this key.',
}));
const input = fleetInput({ kind: 'OnchainSign', requests: [...REQUESTS] }, head);
const proofInput = fleetInput({ kind: 'ProofOfControl', requests: [...PROOFS] }, head);

type Answer = SignOutputJson['outputs'][string];
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const signed = (key: SignRequest['key'], bytes: Uint8Array, message = bytes) => ({
  signer_public_key: key.publicKey,
  exact_bytes_signed: hex(bytes),
  signature: signWith(fleet.master, key, message),
});
const answerOf = ({ key, requestId }: SignRequest): Answer => ({
  type: 'onchain-sign-v1',
  result: { success: Object.fromEntries(messagesOf(requestId).map((message, at) => [String(at), signed(key, message)])) },
});
const proofOf = ({ key, message }: ProofRequest): Answer => {
  const bytes = Buffer.from(`${CONTROL_PROOF_PREFIX}${message}`);
  const exact = key.curve === 'ed25519' ? bytes : createHash('sha256').update(bytes).digest();
  return {
    type: 'proof-of-control-v1',
    result: { success: { ...signed(key, bytes, exact), prefix: CONTROL_PROOF_PREFIX, message } },
  };
};
const REFUSED: Answer = { type: 'onchain-sign-v1', result: { fail: { message: 'Not on the list.', code: 'NotListed' } } };

type Outputs = SignOutputJson['outputs'];
function made(of: FleetInput, outputs: Outputs, status: SignOutputJson['status'] = 'success'): MadeOutput {
  if (device === undefined) throw new Error('the fleet has no device');
  const names = { org_id: of.orgId, fleet_id: of.fleetId, keystore_id: of.storeId, group_id: of.groupId };
  const outputJson: SignOutputJson = { type: 'keystore-output', version: 1, ...names, status, outputs };
  return { outputJson, output: outputFile(of, { device, manifest: null }), device };
}
const allSigned = (): Outputs => Object.fromEntries(REQUESTS.map((one) => [one.operationId, answerOf(one)]));
const allProven = (): Outputs => Object.fromEntries(PROOFS.map((one) => [one.operationId, proofOf(one)]));

const verify = (of: FleetInput, output: MadeOutput) => assertSignOutput({ input: of, head, ...sealOutput(output), messagesOf });
const checkOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'accepted',
    (error: unknown) => (error instanceof FleetFault ? error.check : error),
  );

test('the signatures of every request are returned in the order of its messages, with the recovery id', async () => {
  const { status, operations, unanswered } = await verify(input, made(input, allSigned()));
  expect([status, unanswered]).toEqual(['success', []]);
  const [coins, solana] = operations;
  if (!coins || !solana || !('signatures' in coins) || !('signatures' in solana)) throw new Error('not signed');
  for (const [at, { r, s, recoveryId }] of coins.signatures.entries()) {
    const bytes = Buffer.from(`0${recoveryId}${r.slice(2)}${s.slice(2)}`, 'hex');
    const message = MESSAGES['rq-a']?.[at] as Uint8Array;
    expect(hex(secp256k1.recoverPublicKey(bytes, message, { prehash: false }))).toBe(KEYS.secp256k1.publicKey);
  }
  expect(coins.signatures).toHaveLength(2);
  expect(solana.signatures).toEqual([{ r: expect.stringMatching(/^0x/), s: expect.stringMatching(/^0x/) }]);
  expect(operations.map(({ request }) => request)).toEqual(REQUESTS);
});

test('an output can be partial: refused and missing operations are named', async () => {
  const refused = await verify(input, made(input, { ...allSigned(), 'op-b': REFUSED }, 'partial'));
  expect(refused.operations[1]).toMatchObject({ operationId: 'op-b', failure: { code: 'NotListed' } });
  const { 'op-a': only } = allSigned();
  const missing = await verify(input, made(input, { 'op-a': only as Answer }, 'partial'));
  expect(missing.unanswered).toEqual(['op-b']);
  expect((await verify(input, made(input, {}, 'fail'))).unanswered).toEqual(['op-a', 'op-b']);
});

test('a proof of control is accepted for both curves', async () => {
  const { operations } = await verify(proofInput, made(proofInput, allProven()));
  expect(operations.map((one) => 'signatures' in one && one.signatures.length)).toEqual([1, 1]);
});

type Entry = ReturnType<typeof signed>;
function success(output: MadeOutput, id = 'op-a'): Record<string, Entry> {
  const answer = (output.outputJson as SignOutputJson).outputs[id];
  if (!answer || !('success' in answer.result)) throw new Error('the operation was not signed');
  return answer.result.success as Record<string, Entry>;
}
const entry = (output: MadeOutput, id?: string, at = '0') => success(output, id)[at] as Entry;

const FAULTS: readonly (readonly [title: string, check: string, change: (output: MadeOutput) => void])[] = [
  ['one signature less', 'Messages', (output) => Reflect.deleteProperty(success(output), '1')],
  ['one signature more', 'Messages', (output) => Object.assign(success(output), { 2: entry(output) })],
  [
    'a message that is left out',
    'Messages',
    (output) => {
      Object.assign(success(output), { 2: entry(output, 'op-a', '1') });
      Reflect.deleteProperty(success(output), '1');
    },
  ],
  [
    'signatures in the order of other messages',
    'ExactBytes',
    (output) => {
      const { 0: one, 1: two } = success(output);
      Object.assign(success(output), { 0: two, 1: one });
    },
  ],
  [
    'a signature of other bytes',
    'ExactBytes',
    (output) => Object.assign(success(output), { 0: signed(KEYS.secp256k1, createHash('sha256').update('three').digest()) }),
  ],
  [
    'the right bytes with a signature of other bytes',
    'Signature',
    (output) => Object.assign(entry(output), { signature: entry(output, 'op-a', '1').signature }),
  ],
  [
    'a signature by another key',
    'SignerKey',
    (output) => Object.assign(entry(output), { signer_public_key: keyOf(fleet.master, 'secp256k1', 9).publicKey }),
  ],
  [
    'the registered key with a signature by another key',
    'Signature',
    (output) =>
      Object.assign(entry(output), {
        signature: signWith(fleet.master, { curve: 'secp256k1', index: 9 }, MESSAGES['rq-a']?.[0] as Uint8Array),
      }),
  ],
  [
    'a signature with the higher s',
    'Signature',
    (output) => {
      const { r, s } = secp256k1.Signature.fromHex(entry(output).signature);
      const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s);
      Object.assign(entry(output), { signature: hex(high.toBytes('compact')) });
    },
  ],
  [
    'a signature of 65 bytes',
    'Signature',
    (output) => Object.assign(entry(output), { signature: `${entry(output).signature}00` }),
  ],
  [
    'a changed signature of Ed25519',
    'Signature',
    (output) => Object.assign(entry(output, 'op-b'), { signature: `00${entry(output, 'op-b').signature.slice(2)}` }),
  ],
  [
    'an operation that was not asked for',
    'Operation',
    (output) => Object.assign((output.outputJson as SignOutputJson).outputs, { 'op-c': REFUSED }),
  ],
  [
    'a proof of control in place of a signature',
    'Kind',
    (output) => Object.assign((output.outputJson as SignOutputJson).outputs, { 'op-a': proofOf(PROOFS[0] as ProofRequest) }),
  ],
  ['partial although everything is signed', 'Status', (output) => Object.assign(output.outputJson, { status: 'partial' })],
  [
    'success although something is refused',
    'Status',
    (output) => Object.assign((output.outputJson as SignOutputJson).outputs, { 'op-b': REFUSED }),
  ],
  ['fail although something is signed', 'Status', (output) => Object.assign(output.outputJson, { status: 'fail' })],
  ['a manifest', 'Excess', (output) => Object.assign(output.output, { manifest: genesis.output.manifest })],
  ['a key', 'Excess', (output) => Object.assign(output.output, { keys: [provenKey(fleet.master, 'ed25519', 1, input)] })],
  ['a share', 'Excess', (output) => Object.assign(output.output, { boxes: genesis.output.boxes })],
  [
    'a device that the manifest does not contain',
    'DeviceIdentity',
    (output) => {
      const stranger = createParty('Device', 'D-1');
      Object.assign(output, { device: stranger, output: { ...output.output, device: stranger.card } });
    },
  ],
  ['another organisation', 'Organisation', (output) => Object.assign(output.outputJson, { org_id: 'or-b' })],
  ['another input', 'InputDigest', (output) => Object.assign(output.output, { inputDigest: '1'.repeat(64) })],
];

test.each(FAULTS)('%s is refused by the check %s', async (_title, check, change) => {
  const output = made(input, allSigned());
  change(output);
  expect(await checkOf(verify(input, output))).toBe(check);
});

test('a proof of control covers the prefix and the message of its request', async () => {
  const other = made(proofInput, {
    ...allProven(),
    'op-ed25519': proofOf({ ...(PROOFS[1] as ProofRequest), message: 'I pay.' }),
  });
  expect(await checkOf(verify(proofInput, other))).toBe('ExactBytes');
  const bare = made(proofInput, allProven());
  Object.assign(success(bare, 'op-ed25519'), { prefix: '' });
  expect(await checkOf(verify(proofInput, bare))).toBe('ExactBytes');
  const digest = made(proofInput, allProven());
  Object.assign(success(digest, 'op-secp256k1'), { exact_bytes_signed: '00' });
  expect(await checkOf(verify(proofInput, digest))).toBe('ExactBytes');
});

test('a request without messages has no signatures', async () => {
  const output = made(input, { ...allSigned(), 'op-a': { type: 'onchain-sign-v1', result: { success: {} } } });
  const received = { input, head, ...sealOutput(output), messagesOf: () => [] };
  expect(await checkOf(assertSignOutput(received))).toBe('Messages');
});

test('a ceremony is no group that uses keys', async () => {
  const of = fleetInput(genesisTask({ secp256k1: 1, ed25519: 1 }), null);
  expect(await checkOf(assertSignOutput({ input: of, head, ...sealOutput(made(of, {})), messagesOf }))).toBe('Kind');
});
