import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import { FeeEstimates } from './api/fee-schemas';
import { TransactionBody } from './application/bodies/transactions';
import { ASKED_FAMILIES } from './application/networks/families';
import { whyNoMessage } from './application/signatures/families';
import { codecOf } from './chains/codecs';
import { decoderOf } from './chains/decoders';
import { inFamily } from './chains/families';
import { networkOf } from './chains/networks';
import { createPretenceGateway, createPretenceReader } from './chains/pretence/nodes';
import type { Rpc } from './chains/rpc/rpc';
import { assertIsMessage } from './signer/judging/families';
import { judgePretence } from './signer/judging/pretence/judge';
import type { SignPretenceOrder } from './signer/orders/pretence/order';
import { Request } from './signer/protocol';

const NAME = 'PretenceTestnet';
const NOW_MS = Date.UTC(2026, 0, 1);
const KEY_FORM = { scheme: 'EdDSA', curve: 'ed25519' } as const;
const network = inFamily('pretence', networkOf(NAME));
const codec = inFamily('pretence', codecOf(NAME));
const decoder = inFamily('pretence', decoderOf(NAME));

const publicHexOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const from = codec.addressOf(publicHexOf(publicKey));
const to = codec.addressOf(publicHexOf(generateKeyPairSync('ed25519').publicKey));
const ENTRY = { from, to, amountUnits: 250n, feeUnits: 5n, sequence: 7 };

/** A ledger with one account and no entry. The ledger accepts each entry that it receives. */
function createLedger() {
  const taken: string[] = [];
  const head = () => ({ height: taken.length, hash: `block-${taken.length}`, feeUnits: '5' });
  const idOf = (rawHex: string) =>
    createHash('sha256')
      .update(Buffer.from(rawHex.slice(2), 'hex'))
      .digest('hex');
  const answers: Readonly<Record<string, (word: string) => unknown>> = {
    chain: () => network.chainId,
    account: () => ({ balance: '1000', sequence: 7 + taken.length }),
    head,
    send: (rawHex) => (taken.includes(rawHex) ? 'AlreadyKnown' : taken.push(rawHex) && 'Accepted'),
    find: (txHash) => {
      const at = taken.findIndex((rawHex) => idOf(rawHex) === txHash);
      return at < 0 ? null : { height: at + 1, blockHash: `block-${at + 1}`, feeUnits: '5' };
    },
  };
  const rpc: Rpc = async (method, [word], result) => result.parse(answers[method]?.(String(word)));
  return { reader: createPretenceReader(network, rpc), gateway: createPretenceGateway(network, rpc) };
}

function orderOf(bytesHex: string, changed: Partial<SignPretenceOrder> = {}): SignPretenceOrder {
  const rows = { orgId: 'or-1', dekId: 'dk-1' };
  const sealed = { ...rows, keyId: 'ky-1', ...KEY_FORM, publicKeyHex: publicHexOf(publicKey), ciphertextHex: '00'.repeat(60) };
  const order = {
    requestId: 'xfr-1',
    orgId: 'or-1',
    keyId: 'ky-1',
    network: NAME,
    intent: { from, to, amountUnits: '250' },
    feeCeilingUnits: '500',
    bytesHex,
    sealed,
    dek: { ...rows, kekId: 'kk-1', wrappedHex: '00'.repeat(60), commitHex: '00'.repeat(32) },
    issuedAt: new Date(NOW_MS).toISOString(),
    notAfter: new Date(NOW_MS + 1_000).toISOString(),
    ...changed,
  };
  const read = Request.parse({ id: 1, op: 'signPretence', order });
  ok(read.op === 'signPretence');
  return read.order;
}

export async function transfer(): Promise<void> {
  const { reader, gateway } = createLedger();
  const { tiers } = await reader.feeEstimates().then((fees) => (fees.kind === 'Pretence' ? fees : { tiers: undefined }));
  const sequence = await reader.nextSequence(from);
  const entry = { ...ENTRY, sequence, feeUnits: tiers?.Standard.feeUnits ?? 0n };
  deepEqual(entry, ENTRY);
  const { bytesHex, digestHex } = codec.build(entry);
  deepEqual(decoder.entryIn(bytesHex), entry);

  const judged = judgePretence(orderOf(bytesHex), NOW_MS);
  deepEqual([judged.digestHex, judged.signed.claim], [digestHex, `${NAME} ${from} 7`]);
  const { rawHex, txHash } = codec.attach(bytesHex, signBytes(null, judged.message, privateKey).toString('hex'));
  equal(await gateway.broadcast(rawHex, txHash), 'Accepted');
  equal(await gateway.broadcast(rawHex, txHash), 'AlreadyKnown');
  deepEqual(
    await gateway.receipts([txHash, 'another']),
    new Map([[txHash, { height: 1, blockHash: 'block-1', feeUnits: 5n, success: true }]]),
  );
}

export function refusals(): void {
  const { bytesHex } = codec.build(ENTRY);
  const refused = (reason: string, bytes: string, changed: Partial<SignPretenceOrder> = {}) =>
    throws(() => judgePretence(orderOf(bytes, changed), NOW_MS), { reason });
  refused('AmountMismatch', codec.build({ ...ENTRY, amountUnits: 251n }).bytesHex);
  refused('RecipientMismatch', codec.build({ ...ENTRY, to: from }).bytesHex);
  refused('SenderMismatch', codec.build({ ...ENTRY, from: to }).bytesHex);
  refused('FeeAboveApproved', codec.build({ ...ENTRY, feeUnits: 501n }).bytesHex);
  refused('BytesNotUnderstood', `${bytesHex}00`);
  refused(
    'BytesNotUnderstood',
    bytesHex.replace(Buffer.from('pretence-1').toString('hex'), Buffer.from('pretence-2').toString('hex')),
  );
  refused('OrderExpired', bytesHex, { notAfter: new Date(NOW_MS - 1).toISOString() });
  refused('UnknownNetwork', bytesHex, { network: 'SolanaDevnet' });
}

export function messages(): void {
  const { bytesHex } = codec.build(ENTRY);
  const signedHex = codec.attach(bytesHex, '07'.repeat(64)).rawHex;
  for (const hex of [bytesHex, signedHex]) {
    throws(() => assertIsMessage(KEY_FORM, hex), { reason: 'MessageIsTransaction' });
    equal(whyNoMessage(KEY_FORM, hex), 'is an entry of the ledger: send it as a transaction');
  }
  const word = `0x${Buffer.from('a word').toString('hex')}`;
  assertIsMessage(KEY_FORM, word);
  equal(whyNoMessage(KEY_FORM, word), undefined);
}

export async function forms(): Promise<void> {
  const { bytesHex } = codec.build(ENTRY);
  deepEqual(TransactionBody.parse({ kind: 'PretenceEntry', entry: bytesHex }), { kind: 'PretenceEntry', entry: bytesHex });
  throws(() => TransactionBody.parse({ kind: 'PretenceEntry', entry: 'no hex' }));
  const fees = await createLedger().reader.feeEstimates();
  const shown = { network: NAME, blockNumber: fees.blockNumber, ...ASKED_FAMILIES.pretence.shownFees(fees) };
  deepEqual(FeeEstimates.parse(shown), shown);
  throws(() => FeeEstimates.parse({ ...shown, network: 'SolanaDevnet' }));
}
