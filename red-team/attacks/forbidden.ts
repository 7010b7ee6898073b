import type { Signatory, SigningPlace } from '../../bench/signatory';
import { HOUR_MS } from '../../domain/durations';
import type { NetworkName } from '../../domain/networks';
import { newId } from '../../platform/ids';
import type { CharterWallet } from '../../signer/charters/charter';
import type { Evidence } from '../../signer/record/evidence';
import { envelopeOf } from '../honest';
import { contentFor } from '../making';
import { type Content, type Order, orderOf, payloadOrder } from '../orders';
import { LIMIT_UNITS, type WalletName } from '../organization';
import { PACE, type People } from '../people';
import { rawEnvelope, rawEvmOrder } from '../raw-orders';
import { seenPlace } from '../seen';
import { type Attack, type Attempt, evidenceOf, type Scene } from './attack';
import { THIEF } from './contents';

/** Forbidden orders have amounts from this number on, so that no permitted order has the same content. */
const FORBIDDEN_UNITS = 700_000_000n;

type Wished = {
  readonly more?: Partial<Content>;
  readonly by?: Signatory;
  readonly expiresInMs?: number;
  readonly body?: object;
  readonly method?: 'DELETE';
  readonly isBlind?: boolean;
  /** The network of the key's other wallet, if the person's request is for that wallet. */
  readonly on?: NetworkName;
};

/** A forbidden order with a person's genuine request. */
export function wished(
  scene: Scene,
  name: WalletName,
  { more = {}, by, expiresInMs, body = {}, method, isBlind = false, on }: Wished = {},
) {
  const { organization, number } = scene;
  const { people, wallets, others } = organization;
  const wallet = wallets[name];
  const isOther = ({ keyId, network }: CharterWallet) => keyId === wallet.row.keyId && network === on;
  const walletId = (others.find(isOther) ?? wallet.row).id;
  // No genuine order has such a high claim (the number that determines the nonce or the coins).
  const claim = 10_000_000 + 2 * number;
  const content = contentFor(wallet, scene, { amountUnits: FORBIDDEN_UNITS + BigInt(number), claim, ...more });
  const order = orderOf(wallet, newId('transfer'), content);
  const asked = { kind: 'Native', to: content.to, amount: content.amountUnits.toString(), ...body };
  const signed = people.asked(by ?? people.ada, `/wallets/${walletId}/transfers`, asked, {
    ...(expiresInMs === undefined ? {} : { expiresInMs }),
    ...(method === undefined ? {} : { method }),
    isBlind,
  });
  return { order: { ...order, evidence: [signed] }, content };
}

const HELD_WALLETS = ['held', 'heldCoins', 'heldSender'] as const;

/** Passkey assertions that the signer must reject: from another page, with a wrong type, or without the required flags. */
const ELSEWHERE: readonly Partial<SigningPlace>[] = [
  { type: 'webauthn.create' },
  { type: 'payment.get' },
  { origin: 'https://thief.example' },
  { origin: 'https://localhost.thief.example' },
  { origin: 'https://thieflocalhost' },
  { origin: 'ftp://x.localhost' },
  { crossOrigin: true },
  { relyingPartyId: 'thief.example' },
  { flags: 0x00 },
  { flags: 0x01 },
  { flags: 0x04 },
];

type Voting = (people: People, approval: ReturnType<People['approvalOf']>, scene: Scene) => readonly Evidence[];
/** Genuine votes that do not suffice for the approval. */
const VOTINGS: Readonly<Record<string, Voting>> = {
  none: () => [],
  'a vote with another method': ({ ben, cyd, voteOf }, approval) => [
    voteOf(ben, approval),
    voteOf(cyd, approval, 'Approved', { method: 'DELETE' }),
  ],
  'one vote': ({ ben, voteOf }, approval) => [voteOf(ben, approval)],
  'one vote twice': ({ cyd, voteOf }, approval) => [voteOf(cyd, approval), voteOf(cyd, approval)],
  'two votes of one person': ({ ben, bot, voteOf }, approval) => [voteOf(ben, approval), voteOf(bot, approval)],
  'a vote of the initiator': ({ ada, ben, voteOf }, approval) => [voteOf(ben, approval), voteOf(ada, approval)],
  'a vote of a member who is not a voter': ({ eve, ben, voteOf }, approval) => [voteOf(ben, approval), voteOf(eve, approval)],
  'a vote of a stranger': ({ stranger, ben, voteOf }, approval) => [voteOf(ben, approval), voteOf(stranger, approval)],
  'one denial': ({ ben, cyd, voteOf }, approval) => [voteOf(ben, approval), voteOf(cyd, approval, 'Denied')],
  'two denials': ({ ben, cyd, voteOf }, approval) => [voteOf(ben, approval, 'Denied'), voteOf(cyd, approval, 'Denied')],
  'a vote in a list without the digest': ({ ben, cyd, voteOf, bulkVoteOf }, approval) => [
    voteOf(ben, approval),
    bulkVoteOf(cyd, [{ approvalId: approval.approvalId, digest: null }]),
  ],
  'a vote in a list in which the attacker replaced the digest': (
    { ben, cyd, voteOf, bulkVoteOf },
    { approvalId, ...approval },
  ) => [
    voteOf(ben, { approvalId, ...approval }),
    {
      ...bulkVoteOf(cyd, [{ approvalId, digest: 'ab'.repeat(32) }]),
      decided: JSON.stringify([{ approvalId, digest: approval.digest }]),
    },
  ],
  'a vote in a list at another path': ({ ben, cyd, voteOf, bulkVoteOf }, { approvalId, digest, ...approval }) => [
    voteOf(ben, { approvalId, digest, ...approval }),
    bulkVoteOf(cyd, [{ approvalId, digest }], 'Approved', '/v2/policy-approvals/previews'),
  ],
  'a vote without the right to vote': ({ ben, dan, voteOf }, approval) => [voteOf(ben, approval), voteOf(dan, approval)],
  'a vote of a passkey for another page': ({ ben, cyd, voteOf }, approval, { random }) => [
    voteOf(cyd, approval),
    voteOf({ ...ben, answer: (challenge, place) => ben.answer(challenge, { ...place, ...random.oneOf(ELSEWHERE) }) }, approval),
  ],
  'a blind vote': ({ ben, cyd, voteOf }, approval, { random }) => {
    const [blind, other] = random.oneOf([
      [ben, cyd],
      [cyd, ben],
    ]);
    return [voteOf(other, approval), voteOf(blind, approval, 'Approved', { isBlind: true })];
  },
  'a vote that a key signed as if on the page of the passkeys': ({ ben, cyd, voteOf }, approval) => [
    voteOf(ben, approval),
    voteOf({ ...cyd, answer: (challenge) => cyd.answer(challenge, seenPlace('Fido2')) }, approval),
  ],
  'a denial in a list': ({ ben, cyd, voteOf, bulkVoteOf }, approval) => [
    voteOf(ben, approval),
    bulkVoteOf(cyd, [{ approvalId: approval.approvalId, digest: approval.digest }], 'Denied'),
  ],
  'a vote in a list about other approvals': ({ ben, cyd, voteOf, bulkVoteOf }, approval) => [
    voteOf(ben, approval),
    bulkVoteOf(cyd, [{ approvalId: newId('approval'), digest: approval.digest }]),
  ],
  'a vote for another approval': ({ ben, cyd, voteOf }, approval) => [
    voteOf(ben, approval),
    voteOf(cyd, { approvalId: newId('approval'), digest: approval.digest }),
  ],
  'a vote for another content': ({ ben, cyd, voteOf }, approval) => [
    voteOf(ben, approval),
    voteOf(cyd, { approvalId: approval.approvalId, digest: 'ab'.repeat(32) }),
  ],
  'the votes for another order': (_people, _approval, { genuine }) => evidenceOf(genuine.order).slice(1),
};

function notApproved(scene: Scene): Attempt {
  const { organization, random } = scene;
  const { people } = organization;
  const { order, content } = wished(scene, random.oneOf(HELD_WALLETS));
  const voting = VOTINGS[random.oneOf(Object.keys(VOTINGS))];
  const changes = random.oneOf<object>([{}, {}, {}, {}, {}, {}, { groups: [] }, { activityId: newId('transfer') }]);
  const approval = people.approvalOf(order.requestId ?? '', envelopeOf(order, content), changes);
  const withApproval = random.share() < 0.95 ? [approval] : [];
  return { order: { ...order, evidence: [...order.evidence, ...withApproval, ...(voting?.(people, approval, scene) ?? [])] } };
}

/** Two people approve, but the content, the groups or the request of the approval differ from the order. */
function otherApproved(scene: Scene): Attempt {
  const { organization, random } = scene;
  const { people } = organization;
  const { ada, ben, cyd, bot } = people;
  const by = random.oneOf([ada, ada, ben]);
  const { order, content } = wished(scene, random.oneOf(HELD_WALLETS), { by });
  const envelope = envelopeOf(order, content) as Record<string, unknown>;
  const group = { policyId: organization.content.policies[0]?.id, groupId: 'officers', name: 'Officers', denierIds: [] };
  const weaker = { ...group, quorum: 1, voterIds: [ben.userId, cyd.userId] };
  const changes = random.oneOf<{ readonly envelope?: object; readonly more?: object; readonly requestId?: string }>([
    { envelope: { ...envelope, to: THIEF.EthereumSepolia } },
    { envelope: { ...envelope, amountUnits: '1' } },
    { envelope: { ...envelope, from: organization.wallets.free.row.address } },
    { envelope: { ...envelope, network: 'PolygonAmoy' } },
    { envelope: { ...envelope, feeCeilingUnits: '1' } },
    { envelope: { ...envelope, asset: 'call' } },
    { envelope: { ...envelope, options: { memo: 'other' } } },
    { envelope: { ...envelope, sponsor: { address: THIEF.EthereumSepolia } } },
    { envelope: {} },
    { more: { groups: [weaker] } },
    { more: { groups: [{ ...group, quorum: 2, voterIds: [ada.userId, ben.userId, cyd.userId] }] } },
    { more: { groups: [{ ...group, groupId: 'other', quorum: 2, voterIds: [ben.userId, cyd.userId] }] } },
    { more: { activityKind: 'Policies:Modify' } },
    { more: { org: 'or-other' } },
    { requestId: newId('transfer') },
  ]);
  const approval = people.approvalOf(changes.requestId ?? order.requestId ?? '', changes.envelope ?? envelope, changes.more);
  const voters = by === ben ? [cyd, bot] : [ben, cyd];
  return { order: { ...order, evidence: [...order.evidence, approval, ...voters.map((one) => people.voteOf(one, approval))] } };
}

/** One of the two votes is from the service account of the initiator. */
function ofInitiatorsHand(scene: Scene): Order {
  const { people } = scene.organization;
  const { order, content } = wished(scene, scene.random.oneOf(HELD_WALLETS), { by: people.ben });
  const approval = people.approvalOf(order.requestId ?? '', envelopeOf(order, content));
  const votes = [people.cyd, people.bot].map((one) => people.voteOf(one, approval));
  return { ...order, evidence: [...(order.evidence ?? []), approval, ...votes] };
}

/** Two people approve a call, but the order contains a different call. */
function otherCall(scene: Scene): Order {
  const { people, wallets } = scene.organization;
  const wallet = wallets.held;
  const amountUnits = FORBIDDEN_UNITS + BigInt(scene.number);
  const content = contentFor(wallet, scene, { amountUnits, claim: 10_000_000 + 2 * scene.number });
  const order = rawEvmOrder(wallet, newId('transaction'), content);
  const body = { kind: 'Evm', to: content.to, value: amountUnits.toString() };
  const approval = people.approvalOf(order.requestId ?? '', {
    ...rawEnvelope(order, content),
    terms: { call: scene.random.oneOf<unknown>([{}, null, { to: content.to }]) },
  });
  const votes = [people.ben, people.cyd].map((one) => people.voteOf(one, approval));
  const asked = people.asked(people.ada, `/wallets/${wallet.row.id}/transactions`, body);
  return { ...order, evidence: [asked, approval, ...votes] };
}

/** Orders that a single person requests although the charter forbids them. */
const WISHES: readonly ((scene: Scene) => Order)[] = [
  (scene) => wished(scene, 'limited', { more: { amountUnits: LIMIT_UNITS + BigInt(scene.number) } }).order,
  (scene) => wished(scene, 'listed', { more: { to: THIEF.EthereumSepolia } }).order,
  (scene) => wished(scene, 'listed', { more: { to: scene.organization.wallets.listed.row.address } }).order,
  (scene) => wished(scene, 'frozen').order,
  (scene) => wished(scene, 'free', { by: scene.organization.people.eve }).order,
  (scene) => wished(scene, 'free', { by: scene.organization.people.stranger }).order,
  (scene) => wished(scene, 'free', { expiresInMs: 2 * HOUR_MS }).order,
  (scene) => wished(scene, 'free', { expiresInMs: 10_000 * HOUR_MS }).order,
  (scene) => wished(scene, 'free', { body: { feeSponsorId: scene.organization.sponsors.evm } }).order,
  (scene) =>
    wished(scene, 'free', {
      more: { sponsor: scene.organization.wallets.held.row.address },
      body: { feeSponsorId: scene.organization.sponsors.evm },
    }).order,
  (scene) => wished(scene, 'free', { more: { sponsor: scene.organization.wallets.sponsor.row.address } }).order,
  (scene) =>
    wished(scene, 'sender', {
      more: { sponsor: scene.organization.wallets.payer.row.address },
      body: { feeSponsorId: scene.organization.sponsors.evm },
    }).order,
  (scene) => wished(scene, 'sender', { more: { memo: 'unasked' } }).order,
  (scene) => wished(scene, 'free', { method: 'DELETE' }).order,
  (scene) => wished(scene, 'free', { isBlind: true }).order,
  (scene) => wished(scene, 'free', { more: { elsewhere: 'PolygonAmoy' } }).order,
  // The key has a wallet on a mainnet that the charter does not list.
  (scene) => wished(scene, 'free', { more: { elsewhere: 'Ethereum' }, on: 'Ethereum' }).order,
  // These signatures would also be valid on the mainnet where the key has its other wallet.
  (scene) => wished(scene, 'twinCoins').order,
  (scene) => wished(scene, 'twinSender').order,
  (scene) => wished(scene, 'free', { body: { feeSponsorId: newId('feeSponsor') } }).order,
  (scene) => wished(scene, 'free', { body: { contract: THIEF.EthereumSepolia } }).order,
  ofInitiatorsHand,
  otherCall,
];

/** One person requests a message signature from a wallet with stricter rules, another key, or a key outside the charter. */
function messageAlone(scene: Scene): Order {
  const { organization, random, number } = scene;
  const { people, wallets, outsider } = organization;
  const strict = wallets[random.oneOf(['limited', 'listed', 'held', 'frozen'] as const)];
  const unknown = { ...wallets.free, key: outsider, row: { ...wallets.free.row, keyId: outsider.sealed.keyId } };
  const [named, signing] = random.oneOf([
    [strict, strict],
    [strict, strict],
    [wallets.free, wallets.sponsor],
    [unknown, unknown],
    [wallets.free, unknown],
  ]);
  const message = `0x${Buffer.from(`forbidden ${number}`).toString('hex')}`;
  const order = payloadOrder(signing, newId('signature'), { kind: 'Message', messageHex: message });
  const path = random.oneOf([`/keys/${named.row.keyId}/signatures`, `/wallets/${named.row.id}/signatures`]);
  return { ...order, evidence: [people.asked(people.ada, path, { kind: 'Message', message })] };
}

/** A payment that a person requested. The worker understates how many payments the window already contains. */
function tooManyPayments(scene: Scene): Order {
  const { order } = wished(scene, 'paced');
  const { row } = scene.organization.wallets.paced;
  const window = { walletId: row.id, timeframeMinutes: PACE.timeframe, amountUsdMicro: '0' };
  const usage = [{ ...window, count: scene.random.oneOf([1, 1, 1, 0, PACE.limit]) }];
  return { ...order, attested: { amountUsdMicro: '0', usage } };
}

/** A minority of the people helps the attacker: their signatures are genuine, but the charter forbids the orders. */
export const FORBIDDEN_ATTACKS: readonly Attack[] = [
  { kind: 'payment without enough votes', weight: 9, make: notApproved },
  { kind: 'payment other than approved', weight: 8, make: otherApproved },
  { kind: 'payment that the charter forbids', weight: 8, make: (scene) => ({ order: scene.random.oneOf(WISHES)(scene) }) },
  { kind: 'more payments than a window allows', weight: 2, make: (scene) => ({ order: tooManyPayments(scene) }) },
  { kind: 'message that the charter forbids', weight: 3, make: (scene) => ({ order: messageAlone(scene) }) },
];
