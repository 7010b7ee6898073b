import { randomBytes } from 'node:crypto';
import { evidenceOf } from '../../../activities/signatures/order-evidence';
import { evmCodecOf } from '../../../chains/codecs';
import { keyStore } from '../../../entities/keys/key.store';
import { challengeOf } from '../../../platform/action-challenge';
import { sha256Hex } from '../../../platform/digests';
import { newId } from '../../../platform/ids';
import type { Evidence } from '../../../signer/record/evidence';
import type { Order } from '../../orders';
import { moment } from '../../organization';
import type { Outcome } from '../../wire';
import { type CompanyWallet, LIMIT_OF_DAY, type WalletUse } from '../company';
import type { Request } from '../traffic';
import { anyRequest, type Deed, isTransfer, type ServiceScene, THIEF_ADDRESS } from './deed';

const NETWORK = 'EthereumSepolia';
const CHAIN_ID = 11_155_111;
const FEES = { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
/** Nonces from here on are far above the service's nonces, so that the nonces of genuine payments stay free. */
const FAR = 1_000_000;
const TABLES = { transfers: 'transfers', transactions: 'transfers', signatures: 'signatures' } as const;

type Content = { readonly to: string; readonly amountUnits: bigint };
type Kept = Content & { readonly evidence: readonly Evidence[]; readonly request: Request };

/** The content and the evidence of a request, from the rows of the service. */
async function keptOf({ hands }: ServiceScene, request: Request): Promise<Kept | undefined> {
  const sql = `SELECT user_action_id, approval_id FROM ${TABLES[request.form]} WHERE id = $1`;
  const [row] = await hands.rows.worker.run(sql, [request.id]);
  if (!row?.['user_action_id']) return undefined;
  const grounds = { userActionId: row['user_action_id'] as string, approvalId: row['approval_id'] ?? null };
  const evidence = await evidenceOf(hands.reader, hands.box, grounds);
  const { to = THIEF_ADDRESS, amount = 0n } = request.wanted ?? {};
  return { request, evidence, to, amountUnits: amount };
}

async function orderFor({ hands, number, know }: ServiceScene, wallet: CompanyWallet, { to, amountUnits }: Content) {
  const material = await keyStore.materialOfWallet(hands.reader, wallet.id);
  const asset = { kind: 'Native' } as const;
  const from = wallet.written;
  const intent = { network: NETWORK, from, to, amountUnits, asset } as const;
  const nonce = FAR + number;
  const { bytesHex } = evmCodecOf(NETWORK).build(intent, nonce, FEES);
  know(bytesHex);
  return {
    ...{ op: 'signTransfer', requestId: newId('transfer'), orgId: material.sealed.orgId, keyId: material.sealed.keyId },
    ...{ network: NETWORK, chainId: CHAIN_ID, intent: { from, to, amountUnits: amountUnits.toString(), asset } },
    ...{ nonce, feeCeilingUnits: '100000000000000', bytesHex, ...material, attested: { amountUsdMicro: '0' }, ...moment() },
  };
}

const keptAny = async (scene: ServiceScene, isMeant?: (request: Request) => boolean): Promise<Kept | undefined> => {
  const request = anyRequest(scene, isMeant);
  return request && keptOf(scene, request);
};

/** An order for the genuine content of a request that will never get the votes that it lacks. */
async function withoutVotes(scene: ServiceScene): Promise<Outcome | undefined> {
  const kept = await keptAny(scene, (one) => isTransfer(one) && one.isForbidden);
  if (!kept) return undefined;
  const order = await orderFor(scene, kept.request.wallet, kept);
  const votes = kept.evidence.filter(({ kind }) => kind === 'Approver');
  const evidence = scene.random.oneOf<readonly Evidence[]>([
    kept.evidence,
    kept.evidence.filter(({ kind }) => kind === 'Initiator'),
    [...kept.evidence, ...votes],
    [],
  ]);
  return scene.hands.wire.send({ ...order, requestId: kept.request.id, evidence });
}

/** Uses the votes of an approved request as votes for a request that people denied or did not approve. */
async function withOtherVotes(scene: ServiceScene): Promise<Outcome | undefined> {
  const kept = await keptAny(scene, (one) => isTransfer(one) && one.isForbidden && one.approvalId !== undefined);
  const other = await keptAny(scene, (one) => !one.isForbidden && one.approvalId !== undefined);
  if (!kept || !other) return undefined;
  const order = await orderFor(scene, kept.request.wallet, kept);
  const isKind = (kind: Evidence['kind']) => (one: Evidence) => one.kind === kind;
  const evidence = [
    ...kept.evidence.filter(isKind('Initiator')),
    ...(scene.random.share() < 0.5 ? kept : other).evidence.filter(isKind('Approval')),
    ...other.evidence.filter(isKind('Approver')),
  ];
  return scene.hands.wire.send({ ...order, requestId: kept.request.id, evidence });
}

/** A payment to the thief, or with a changed amount, with the evidence of a genuine request. */
async function otherContent(scene: ServiceScene): Promise<Outcome | undefined> {
  const { random } = scene;
  const kept = await keptAny(scene);
  if (!kept) return undefined;
  const wanted = random.oneOf<Content>([
    { ...kept, to: THIEF_ADDRESS },
    { ...kept, amountUnits: kept.amountUnits + 1n },
    { ...kept, amountUnits: kept.amountUnits * 2n + 1n },
    { to: THIEF_ADDRESS, amountUnits: 1n },
    { to: THIEF_ADDRESS, amountUnits: LIMIT_OF_DAY * 10n },
  ]);
  const wallets = Object.values(scene.company.wallets);
  const wallet = random.share() < 0.8 ? kept.request.wallet : random.oneOf(wallets);
  const order = await orderFor(scene, wallet, wanted);
  const requestId = random.share() < 0.5 ? kept.request.id : order.requestId;
  const replaces = random.share() < 0.3 ? { replaces: kept.request.id } : {};
  return scene.hands.wire.send({ ...order, ...replaces, requestId, evidence: random.share() < 0.9 ? kept.evidence : [] });
}

/**
 * The text that a person signed, changed together with its digests, and sometimes with a challenge that follows from the digests.
 */
async function changedText(scene: ServiceScene): Promise<Outcome | undefined> {
  const kept = await keptAny(scene, isTransfer);
  const [initiator, ...rest] = kept?.evidence ?? [];
  if (!kept || initiator?.kind !== 'Initiator') return undefined;
  const body = JSON.stringify({ kind: 'Native', to: THIEF_ADDRESS, amount: kept.amountUnits.toString() });
  const changed = { ...initiator, body, ...(scene.random.share() < 0.8 ? { bodySha256: sha256Hex(body) } : {}) };
  const { orgId } = scene.company;
  const committed = { ...changed, orgId, anchor: changed.anchor ?? null, dateExpires: new Date(changed.dateExpires) };
  const challenge = challengeOf(Buffer.from(changed.nonce, 'base64url'), committed);
  const forged = scene.random.share() < 0.6 ? { ...changed, challenge } : changed;
  const order = await orderFor(scene, kept.request.wallet, { to: THIEF_ADDRESS, amountUnits: kept.amountUnits });
  return scene.hands.wire.send({ ...order, evidence: [forged, ...rest] });
}

/** A second order for a payment that was already carried out. */
async function onceMore(scene: ServiceScene): Promise<Outcome | undefined> {
  const { hands, random } = scene;
  const [paid] = await hands.rows.worker.run(
    `SELECT id FROM transfers WHERE state = 'Confirmed' AND approval_id IS ${random.share() < 0.5 ? 'NOT ' : ''}NULL
     ORDER BY md5(id || $1) LIMIT 1`,
    [String(scene.number)],
  );
  const kept = await keptAny(scene, ({ id }) => id === paid?.['id']);
  if (!kept) return undefined;
  const order = await orderFor(scene, kept.request.wallet, kept);
  const requestId = random.share() < 0.5 ? kept.request.id : order.requestId;
  return hands.wire.send({ ...order, requestId, evidence: kept.evidence });
}

/** A signature over bytes, a hash or a text with the evidence of another request. */
async function otherSignature(scene: ServiceScene): Promise<Outcome | undefined> {
  const { hands, random, company } = scene;
  const kept = await keptAny(scene);
  if (!kept) return undefined;
  const wallet = random.share() < 0.6 ? kept.request.wallet : random.oneOf(Object.values(company.wallets));
  const { bytesHex, keyId, orgId, sealed, dek } = await orderFor(scene, wallet, { to: THIEF_ADDRESS, amountUnits: 10n ** 15n });
  const payload = random.oneOf<object>([
    { kind: 'EvmTransaction', bytesHex },
    { kind: 'Message', messageHex: '0x6d696e65' },
    { kind: 'Eip191', messageHex: '0x6d696e65' },
    { kind: 'Hash', digestHex: `0x${randomBytes(32).toString('hex')}` },
    { kind: 'Eip7702', chainId: 0, address: THIEF_ADDRESS, nonce: 0 },
  ]);
  const requestId = random.share() < 0.5 ? kept.request.id : newId('signature');
  const rows = { orgId, keyId, sealed, dek };
  return hands.wire.send({
    op: 'signPayload',
    requestId,
    ...rows,
    payload,
    policyEpoch: 0,
    ...moment(),
    evidence: kept.evidence,
  });
}

const GIVES_A_SECRET = ['exportKey', 'deriveShared', 'attestAddress'];

/** Requests the secret of a key, and values that would lead to the secret. */
async function secretOf(scene: ServiceScene): Promise<Outcome | undefined> {
  const { hands, random, company } = scene;
  const material = await keyStore.materialOfWallet(hands.reader, random.oneOf(Object.values(company.wallets)).id);
  const { sealed, dek } = material;
  const rows = { orgId: company.orgId, keyId: sealed.keyId, sealed, dek };
  const parent = { keyId: sealed.keyId, path: "m/44'/60'", sealed, dek };
  const order = random.oneOf<Order>([
    { op: 'exportKey', requestId: newId('keyRequest'), ...rows, recipientKey: randomBytes(32).toString('base64'), ...moment() },
    { op: 'deriveShared', requestId: newId('keyRequest'), ...rows, domainHex: '0x00', seedHex: '0x61', ...moment() },
    { op: 'resealKey', ...rows, target: { ...dek, orgId: 'or-thief' } },
    { op: 'createKey', orgId: 'or-thief', keyId: newId('key'), scheme: sealed.scheme, curve: sealed.curve, parent },
    { op: 'attestAddress', orgId: 'or-thief', keyId: sealed.keyId, network: NETWORK },
  ]);
  const outcome = await hands.wire.send(order);
  if (outcome.kind === 'Accepted' && GIVES_A_SECRET.includes(order.op)) scene.gained(`a secret by ${order.op}`);
  return outcome;
}

/** Changes of the charter and of freezes, with evidence that people signed for other requests. */
async function entry(scene: ServiceScene): Promise<Outcome | undefined> {
  const { hands, random, company } = scene;
  const { orgId, freezeId, policies, wallets } = company;
  const kept = await keptAny(scene);
  if (!kept) return undefined;
  const amendment = random.oneOf<object>([
    { kind: 'archivePolicy' },
    { kind: 'updatePolicy', version: 2, groupIds: [] },
    { kind: 'createWallet', walletId: newId('wallet'), keyId: wallets.free.keyId },
    { kind: 'untagWallet' },
    { kind: 'deactivateUser' },
    { kind: 'createPolicy', policyId: policies[0], version: 2, groupIds: [] },
  ]);
  const { evidence } = kept;
  const order = random.oneOf<object>([
    { op: 'releaseFreeze', orgId, freezeId, evidence, ...moment() },
    { op: 'amendCharter', orgId, amendmentId: newId('amendment'), amendment, evidence },
    { op: 'amendCharter', orgId, amendmentId: newId('amendment'), amendment, evidence: evidence.slice(0, 1) },
  ]);
  return hands.wire.send(order);
}

/** Orders that do not need a person's request. Such an order must not move funds. */
async function filler(scene: ServiceScene): Promise<Outcome | undefined> {
  const { company, random, hands } = scene;
  const use = random.oneOf(Object.keys(company.wallets) as WalletUse[]);
  const wallet = company.wallets[use];
  const to = random.share() < 0.5 ? wallet.written : THIEF_ADDRESS;
  const order = await orderFor(scene, wallet, { to, amountUnits: random.share() < 0.5 ? 0n : 1n });
  return hands.wire.send({ ...order, evidence: [] });
}

/** Orders as the worker sends them, with evidence that the service recorded for its own people. */
export const ORDER_DEEDS: readonly Deed[] = [
  { kind: 'order without the votes', weight: 8, act: withoutVotes },
  { kind: 'order with the votes of another request', weight: 6, act: withOtherVotes },
  { kind: 'order of other content', weight: 10, act: otherContent },
  { kind: 'order with a changed text', weight: 5, act: changedText },
  { kind: 'order of a paid request once more', weight: 6, act: onceMore },
  { kind: 'signature of something else', weight: 6, act: otherSignature },
  { kind: 'secret of a key', weight: 3, act: secretOf },
  { kind: 'entry of a charter or a freeze', weight: 4, act: entry },
  { kind: 'order without people', weight: 2, act: filler },
];
