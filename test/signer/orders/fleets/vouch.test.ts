import { generateKeyPairSync } from 'node:crypto';
import { DAY_MS } from '../../../../domain/durations';
import { canonical } from '../../../../platform/canonical';
import { sha256Hex } from '../../../../platform/digests';
import { controlProofMessage } from '../../../../platform/fleets/control-proofs';
import type { FleetManifest } from '../../../../platform/fleets/manifests';
import { isStated } from '../../../../platform/fleets/statement';
import { travellingText, Vouch } from '../../../../platform/fleets/vouches';
import type { CreatedKey, FleetOrders, SignTransferOrder } from '../../../../signer/protocol';
import { removeIndexes } from '../../../../signer/wire/operator-api';
import type { Fleet } from '../../../support/fleet-outputs';
import { signWith } from '../../../support/fleet-parties';
import { withProofs } from '../../../support/proof-inputs';
import { NOW_MS, ORG, openOperations, orderFor, payloadOrderFor, refusedAs, temporaryFolder } from '../../fixtures';
import { entryText, signedBy } from '../../key-stores/storing';
import {
  addStore,
  assignOrder,
  formOf,
  inputFor,
  momentAt,
  OFFLINE,
  poolKey,
  type Signer,
  sealOrder,
  withGenesis,
} from './fleeting';

const operator = generateKeyPairSync('ed25519');
const KEY_ID = 'key-off-1';
const clock = { nowMs: NOW_MS };
let folder: ReturnType<typeof temporaryFolder>;
let signer: Signer;
let fleet: Fleet;
let head: FleetManifest;
const open = (switches?: Parameters<typeof openOperations>[3]) =>
  openOperations(folder.path, () => clock.nowMs, undefined, switches, operator.publicKey);
beforeEach(async () => {
  clock.nowMs = NOW_MS;
  folder = temporaryFolder();
  signer = await open();
  await addStore(signer, operator.privateKey);
  ({ fleet, head } = await withGenesis(signer));
  await signer.assignFleetKey(assignOrder(poolKey(fleet, 0), KEY_ID));
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

/** The public form of an offline key, in the place where the fixtures expect a sealed key. */
const keyRow = (index = 0, keyId = KEY_ID): CreatedKey => {
  const form = formOf(poolKey(fleet, index));
  const sealed = { orgId: ORG, keyId, ...form, dekId: 'dek-none', ciphertextHex: '' };
  return { publicKeyHex: form.publicKeyHex, sealed, dek: {} as CreatedKey['dek'] };
};
const offline = <O extends { readonly sealed: CreatedKey['sealed']; readonly dek: unknown }>(
  { sealed, dek: _dek, ...order }: O,
  groupId = 'fg-1',
) => ({
  ...order,
  ...{ scheme: sealed.scheme, curve: sealed.curve, publicKeyHex: sealed.publicKeyHex, store: { storeId: OFFLINE, groupId } },
});
type Wanted = Parameters<typeof orderFor>[2] & { readonly changes?: Partial<SignTransferOrder>; readonly groupId?: string };
const transfer = (requestId = 'xfr-1', { changes = {}, groupId, ...wanted }: Wanted = {}): FleetOrders['vouchTransfer'] =>
  offline({ ...orderFor(keyRow(), requestId, wanted), ...changes }, groupId);

test('a vouch states the judged order, its payload and its claims, and the messages are what the device signs', async () => {
  const order = transfer();
  const { vouched, digestHex, messages } = await signer.vouchTransfer(order);
  const vouch = Vouch.parse(JSON.parse(vouched.vouch));
  expect(canonical(vouch)).toBe(vouched.vouch);
  expect(vouched.signed.by).toBe(signer.attestor.publicKeyHex);
  expect(isStated('vouch', vouch, vouched.signed)).toBe(true);
  expect(vouch).toMatchObject({
    ...{ v: 1, signerId: signer.health().signerId, orgId: ORG, storeId: OFFLINE, groupId: 'fg-1', requestId: 'xfr-1' },
    ...{ op: 'vouchTransfer', keyId: KEY_ID, publicKey: poolKey(fleet, 0).publicKey },
    ...{ orderDigest: sha256Hex(travellingText(order)), claims: [`EthereumSepolia ${order.intent.from.toLowerCase()} 4`] },
  });
  expect(messages).toEqual([digestHex]);
});

test('a repeated order gets the same vouch, later, after a restart and for a later group, without a second entry', async () => {
  const first = await signer.vouchTransfer(transfer());
  const { logEntries } = signer.health();
  clock.nowMs += 3 * DAY_MS;
  const later = { ...transfer(), ...momentAt(clock.nowMs) };
  await expect(signer.vouchTransfer(later)).resolves.toEqual(first);
  await signer.close();
  await removeIndexes(folder.path);
  signer = await open();
  await expect(signer.vouchTransfer(later)).resolves.toEqual(first);
  const next = await signer.vouchTransfer({ ...later, store: { storeId: OFFLINE, groupId: 'fg-2' } });
  const stated = (text: string) => JSON.parse(text) as Vouch;
  expect(stated(next.vouched.vouch)).toEqual({ ...stated(first.vouched.vouch), groupId: 'fg-2' });
  expect(next.messages).toEqual(first.messages);
  expect(signer.health().logEntries).toBe(logEntries);
});

test('after a vouch neither another payload, nor a withdrawal, nor a second payment on its nonce is possible', async () => {
  await signer.vouchTransfer(transfer('xfr-1', { changes: { intentId: 'transfer:one' } }));
  await expect(signer.vouchTransfer(transfer('xfr-1', { nonce: 5 }))).rejects.toEqual(
    expect.objectContaining({ reason: 'RequestIdReused', signedBefore: true }),
  );
  await expect(signer.vouchTransfer(transfer('xfr-2', { intent: { amountUnits: 2_000n } }))).rejects.toEqual(
    refusedAs('NonceSignedAlready'),
  );
  await expect(signer.vouchTransfer(transfer('xfr-2', { nonce: 5, changes: { intentId: 'transfer:one' } }))).rejects.toEqual(
    refusedAs('IntentSignedAlready'),
  );
  await expect(signer.withdraw({ orgId: ORG, requestId: 'xfr-1' })).resolves.toEqual({ withdrawn: false });
  const changed = transfer('xfr-1', { changes: { intentId: 'transfer:one', feeCeilingUnits: '70000000000000' } });
  await expect(signer.vouchTransfer(changed)).rejects.toEqual(refusedAs('RequestIdReused'));
});

test('a payment with higher fees replaces a vouched payment only on the same nonce', async () => {
  await signer.vouchTransfer(transfer());
  const fees = { gas: 60_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const changes = { replaces: 'xfr-1', feeCeilingUnits: '120000000000000' };
  await expect(signer.vouchTransfer(transfer('xfr-2', { fees, changes, nonce: 5 }))).rejects.toEqual(
    refusedAs('ReplacesNothing'),
  );
  await expect(signer.vouchTransfer(transfer('xfr-2', { fees, changes }))).resolves.toBeDefined();
});

test('a withdrawn request gets no vouch', async () => {
  await signer.withdraw({ orgId: ORG, requestId: 'xfr-1' });
  await expect(signer.vouchTransfer(transfer())).rejects.toEqual(refusedAs('RequestWithdrawn'));
});

test.each<[string, string, (order: FleetOrders['vouchTransfer']) => object]>([
  ['of a key without an id', 'KeyNotAssigned', () => ({ keyId: 'key-off-2' })],
  ['with another key of the pool', 'KeyNotAssigned', () => formOf(poolKey(fleet, 1))],
  ['of another organisation', 'KeyStoreUnknown', () => ({ orgId: 'or-00000-00000-0000000000000002' })],
  ['of another store', 'KeyStoreUnknown', () => ({ store: { storeId: 'ks-unknown', groupId: 'fg-1' } })],
  ['with bytes that pay another amount', 'AmountMismatch', ({ intent }) => ({ intent: { ...intent, amountUnits: '1' } })],
  ['above its fee ceiling', 'FeeAboveApproved', () => ({ feeCeilingUnits: '1' })],
  ['that has expired', 'OrderExpired', () => ({ notAfter: new Date(NOW_MS - 1).toISOString() })],
])('an order %s gets no vouch', async (_title, reason, changes) => {
  const order = transfer();
  const { logEntries } = signer.health();
  await expect(signer.vouchTransfer({ ...order, ...changes(order) })).rejects.toEqual(refusedAs(reason));
  expect(signer.health().logEntries).toBe(logEntries);
});

test('a key of a second store is not vouched for through the first', async () => {
  await addStore(signer, operator.privateKey, 'ks-second');
  const order = transfer();
  await expect(signer.vouchTransfer({ ...order, store: { storeId: 'ks-second', groupId: 'fg-1' } })).rejects.toEqual(
    refusedAs('KeyNotAssigned'),
  );
});

test('a draining store still signs', async () => {
  const drained = { kind: 'Drain', storeId: OFFLINE };
  await signer.keyStores.changeKeyStores(signedBy(operator.privateKey, entryText(signer, drained)));
  await expect(signer.vouchTransfer(transfer())).resolves.toBeDefined();
});

test.each(['Organization', 'Key', 'Wallet', 'Network'] as const)(
  'a freeze (%s) stops the vouch, also a repeated one, and the sealing of the group',
  async (kind) => {
    const order = transfer();
    const { vouched } = await signer.vouchTransfer(order);
    const targets = {
      Organization: { kind: 'Organization' },
      Key: { kind: 'Key', keyId: KEY_ID },
      Wallet: { kind: 'Wallet', keyId: KEY_ID, network: 'EthereumSepolia' },
      Network: { kind: 'Network', network: 'EthereumSepolia' },
    } as const;
    const input = inputFor(
      signer,
      {
        kind: 'OnchainSign',
        requests: [
          {
            ...{ operationId: 'op-1', requestId: 'xfr-1', op: 'vouchTransfer', key: poolKey(fleet, 0) },
            ...{ order: travellingText(order), vouched },
          },
        ],
      },
      head,
      { groupId: 'fg-1' },
    );
    await signer.setFreeze({ orgId: ORG, freezeId: 'frz-1', target: targets[kind], evidence: [], ...momentAt() });
    await expect(signer.vouchTransfer(order)).rejects.toEqual(refusedAs('Frozen'));
    await expect(signer.vouchTransfer(transfer('xfr-2', { nonce: 5 }))).rejects.toEqual(refusedAs('Frozen'));
    await expect(signer.sealFleetInput(sealOrder(input))).rejects.toEqual(refusedAs('Frozen'));
  },
);

describe('a group that signs', () => {
  const requestFor = async (order: FleetOrders['vouchTransfer'], changes: object = {}) => ({
    ...{ operationId: `op-${order.requestId}`, requestId: order.requestId, op: 'vouchTransfer', key: poolKey(fleet, 0) },
    ...{ order: travellingText(order), vouched: (await signer.vouchTransfer(order)).vouched },
    ...changes,
  });
  type Request = Awaited<ReturnType<typeof requestFor>>;
  const sealing = (requests: readonly Request[], given: object = {}) =>
    signer.sealFleetInput(
      sealOrder(inputFor(signer, { kind: 'OnchainSign', requests: [...requests] }, head, { groupId: 'fg-1', ...given })),
    );

  test('is sealed with the vouches of its own requests', async () => {
    const requests = [await requestFor(transfer()), await requestFor(transfer('xfr-2', { nonce: 5 }))];
    await expect(sealing(requests)).resolves.toBeDefined();
  });

  test('lasts at most 7 days', async () => {
    const requests = [await requestFor(transfer())];
    const notAfter = (ms: number) => ({ notAfter: new Date(NOW_MS + 7 * DAY_MS + ms).toISOString() });
    await expect(sealing(requests, notAfter(1))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(sealing(requests, notAfter(0))).resolves.toBeDefined();
  });

  test('is refused with a vouch of another group, a forged vouch, or an order that was exchanged', async () => {
    const [request, other] = [await requestFor(transfer()), await requestFor(transfer('xfr-2', { nonce: 5 }))];
    const vouch = JSON.parse(request.vouched.vouch) as Vouch;
    const forged = { ...request.vouched, vouch: canonical({ ...vouch, claims: [] }) };
    const elsewhere = await requestFor(transfer('xfr-3', { nonce: 6, groupId: 'fg-2' }));
    const rich = travellingText({ ...transfer(), feeCeilingUnits: '900000000000000' });
    const faults: readonly [string, Request[]][] = [
      ['FleetInputMismatch', [elsewhere]],
      ['FleetInputMismatch', [{ ...request, vouched: forged }]],
      ['FleetInputMismatch', [{ ...request, vouched: other.vouched }]],
      ['FleetInputMismatch', [{ ...request, order: other.order }]],
      ['FleetInputMismatch', [{ ...request, order: rich }]],
      ['FleetInputMismatch', [{ ...request, op: 'vouchPayload' }]],
      ['FleetInputMismatch', [request, request]],
      ['FleetInputMismatch', [request, { ...other, operationId: request.operationId }]],
      ['KeyNotAssigned', [{ ...request, key: poolKey(fleet, 1) }]],
      ['KeyNotAssigned', [{ ...request, key: { ...request.key, index: 1 } }]],
    ];
    for (const [reason, requests] of faults) await expect(sealing(requests)).rejects.toEqual(refusedAs(reason));
    await expect(sealing([elsewhere], { groupId: 'fg-2' })).resolves.toBeDefined();
  });
});

describe('a proof of control', () => {
  const proof = (changes: object = {}) => ({
    ...{ operationId: 'op-1', walletId: 'wa-1', network: 'EthereumSepolia', key: poolKey(fleet, 0) },
    address: orderFor(keyRow(), 'xfr-1').intent.from,
    ...changes,
  });
  const empty = () => inputFor(signer, { kind: 'ProofOfControl', requests: [] }, head, { groupId: 'fg-proofs' });
  const sealing = (...requests: readonly ReturnType<typeof proof>[]) =>
    signer.sealFleetInput(sealOrder(withProofs(empty(), requests)));

  test('is sealed for the address of an assigned key', async () => {
    await expect(sealing(proof())).resolves.toBeDefined();
    await expect(sealing(proof({ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }))).rejects.toEqual(
      refusedAs('FleetInputMismatch'),
    );
    await expect(sealing(proof({ network: 'Solana' }))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(sealing(proof({ network: 'nowhere' }))).rejects.toEqual(refusedAs('UnknownNetwork'));
    await expect(sealing(proof({ key: poolKey(fleet, 1) }))).rejects.toEqual(refusedAs('KeyNotAssigned'));
  });

  test('states only the message of its wallet and group, and each wallet once', async () => {
    const messageIn = (place: object, wallet: object = {}) =>
      controlProofMessage({ ...empty(), ...place }, { ...proof(), ...wallet });
    const others = [
      ...['ours', messageIn({ groupId: 'fg-else' }), messageIn({ orgId: 'or-else' }), messageIn({ storeId: 'ks-else' })],
      ...[messageIn({ dateIssued: new Date(NOW_MS - DAY_MS).toISOString() }), messageIn({}, { walletId: 'wa-else' })],
    ];
    for (const message of others) await expect(sealing(proof({ message }))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(sealing(proof({ message: messageIn({}) }))).resolves.toBeDefined();
    await expect(sealing(proof(), proof({ operationId: 'op-2' }))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(sealing(proof(), proof({ walletId: 'wa-2' }))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    const both = withProofs({ ...empty(), groupId: 'fg-both' }, [proof(), proof({ operationId: 'op-2', walletId: 'wa-2' })]);
    await expect(signer.sealFleetInput(sealOrder(both))).resolves.toBeDefined();
  });
});

describe('a payload', () => {
  const payload = (requestId: string, wanted: Parameters<typeof payloadOrderFor>[2]) =>
    offline(payloadOrderFor(keyRow(), requestId, wanted));

  test('is vouched for, and the same bytes as a transfer have the same claim', async () => {
    const { bytesHex } = orderFor(keyRow(), 'xfr-1');
    const made = await signer.vouchPayload(payload('sig-1', { kind: 'EvmTransaction', bytesHex }));
    expect(made.messages).toEqual([made.digestHex]);
    await expect(signer.vouchTransfer(transfer('xfr-1', { intent: { amountUnits: 2n } }))).rejects.toEqual(
      refusedAs('NonceSignedAlready'),
    );
    await expect(signer.vouchPayload(payload('sig-2', { kind: 'Eip191', messageHex: '0x6869' }))).resolves.toBeDefined();
  });

  test.each([
    ['a bare hash', { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` }],
    ['a delegation', { kind: 'Eip7702', chainId: 11_155_111, address: `0x${'22'.repeat(20)}`, nonce: 7 }],
  ] as const)('of %s is refused whatever is switched on, because a device never signs it', async (_what, asked) => {
    const refused = { reason: 'NotForOfflineStore' };
    await expect(signer.vouchPayload(payload('sig-1', asked as never))).rejects.toMatchObject(refused);
  });
});

describe('the signatures of the device', () => {
  const made = async (messages: readonly string[], index = 0) =>
    messages.map((message) => {
      const hex = signWith(fleet.master, poolKey(fleet, index), Buffer.from(message.slice(2), 'hex'));
      return { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}` };
    });
  const known = async (signatures: readonly { readonly r: string; readonly s: string }[]) =>
    (await signer.wasSigned({ orgId: ORG, signatures: [...signatures] })).wereSigned;

  test('are known once they are recorded, also after a rebuild of the index', async () => {
    const { messages } = await signer.vouchTransfer(transfer());
    const signatures = await made(messages);
    await expect(known(signatures)).resolves.toEqual([false]);
    const order = { requestId: 'xfr-1', orgId: ORG, keyId: KEY_ID, messages, signatures };
    await expect(signer.recordSignatures(order)).resolves.toEqual({});
    await signer.close();
    await removeIndexes(folder.path);
    signer = await open();
    await expect(signer.recordSignatures(order)).resolves.toEqual({});
    await expect(known(signatures)).resolves.toEqual([true]);
  });

  test('are refused for another key, message or request, and stay unknown', async () => {
    await signer.assignFleetKey(assignOrder(poolKey(fleet, 1), 'key-off-2'));
    const { messages } = await signer.vouchTransfer(transfer());
    const [signatures, foreign] = [await made(messages), await made(messages, 1)];
    const other = [`0x${'11'.repeat(32)}`];
    const common = { requestId: 'xfr-1', orgId: ORG, keyId: KEY_ID, messages, signatures };
    const faults = [
      ['FleetOutputInvalid', { signatures: foreign }],
      ['FleetOutputInvalid', { messages: other, signatures: await made(other) }],
      ['FleetOutputInvalid', { signatures: signatures.map(({ r, s }) => ({ r: s, s: r })) }],
      ['KeyNotAssigned', { keyId: 'key-off-2', signatures: foreign }],
      ['KeyNotAssigned', { requestId: 'xfr-2' }],
      ['KeyNotAssigned', { orgId: 'or-00000-00000-0000000000000002' }],
    ] as const;
    for (const [reason, changes] of faults)
      await expect(signer.recordSignatures({ ...common, ...changes })).rejects.toEqual(refusedAs(reason));
    await expect(known([...signatures, ...foreign])).resolves.toEqual([false, false]);
  });
});
