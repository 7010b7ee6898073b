import { createSignatory } from '../../bench/signatory';
import { challengeOf } from '../../platform/action-challenge';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import type { Evidence } from '../../signer/record/evidence';
import { envelopeOf } from '../honest';
import { contentFor } from '../making';
import { orderOf } from '../orders';
import type { Action } from '../people';
import { seenPlace } from '../seen';
import type { Attack, Attempt, Scene } from './attack';
import { THIEF } from './contents';

/** No permitted order has such a high amount. */
const STOLEN_UNITS = 800_000_000n;

type Wanted = { readonly path: string; readonly body: string; readonly approvalDigest?: string | null };
/**
 * Rewrites a signed action into the wanted request, from the text up to one layer of the signed data. The later layers stay
 * genuine, so that only one check of the signer can detect the change.
 */
type Layer = (signed: Action, wanted: Wanted, scene: Scene) => Action;

const withText = (signed: Action, { path, body, approvalDigest = signed.approvalDigest }: Wanted): Action => ({
  ...signed,
  ...{ path, body, approvalDigest },
});
const withDigest = (signed: Action, wanted: Wanted): Action => ({
  ...withText(signed, wanted),
  bodySha256: sha256Hex(wanted.body),
});

function withChallenge(signed: Action, wanted: Wanted, { organization }: Scene): Action {
  const next = withDigest(signed, wanted);
  const { orgId } = organization;
  const committed = { ...next, orgId, anchor: next.anchor ?? null, dateExpires: new Date(next.dateExpires) };
  return { ...next, challenge: challengeOf(Buffer.from(next.nonce, 'base64url'), committed) };
}

function withClientData(signed: Action, wanted: Wanted, scene: Scene): Action {
  const next = withChallenge(signed, wanted, scene);
  const text = Buffer.from(next.clientData ?? '', 'base64url').toString('utf8');
  const clientData = Buffer.from(text.replace(signed.challenge, next.challenge)).toString('base64url');
  return { ...next, clientData };
}

/** Signs with the attacker's key under the id of the person's credential. */
function withSignature(signed: Action, wanted: Wanted, scene: Scene): Action {
  const next = withChallenge(signed, wanted, scene);
  const form = signed.firstFactorKind === 'Fido2' ? 'ES256 passkeys' : 'Ed25519 keys';
  const thief = createSignatory(form);
  return { ...next, ...thief.answer(next.challenge, seenPlace(thief.credential.kind)), publicKey: thief.credential.publicKey };
}

const LAYERS: readonly Layer[] = [withText, withDigest, withChallenge, withClientData, withSignature];

/** A person requested one unit, and the attacker wants more units for the attacker's own address. */
function stolenRequest(scene: Scene): Attempt {
  const { organization, random, number } = scene;
  const { people, wallets } = organization;
  const wallet = wallets.free;
  const content = contentFor(wallet, scene, {
    ...{ amountUnits: STOLEN_UNITS + BigInt(number), claim: 10_000_000 + 2 * number, to: THIEF.EthereumSepolia },
  });
  const path = `/wallets/${wallet.row.id}/transfers`;
  const bodyOf = (to: string, amount: string) => JSON.stringify({ kind: 'Native', to, amount });
  const signed = people.asked(random.oneOf([people.ada, people.ben]), path, bodyOf(wallet.row.address, '1'));
  const wanted = { path, body: bodyOf(content.to, content.amountUnits.toString()) };
  const order = orderOf(wallet, newId('transfer'), content);
  return { order: { ...order, evidence: [random.oneOf(LAYERS)(signed, wanted, scene)] } };
}

/** People voted on one approval, and the attacker wants to use the votes for another approval. */
function stolenVotes(scene: Scene): Attempt {
  const { organization, random, number } = scene;
  const { people, wallets } = organization;
  const wallet = wallets.held;
  const content = contentFor(wallet, scene, { amountUnits: STOLEN_UNITS + BigInt(number), claim: 10_000_000 + 2 * number });
  const order = orderOf(wallet, newId('transfer'), content);
  const body = { kind: 'Native', to: content.to, amount: content.amountUnits.toString() };
  const asked = people.asked(people.ada, `/wallets/${wallet.row.id}/transfers`, body);
  const approval = people.approvalOf(order.requestId ?? '', envelopeOf(order, content));
  const { approvalId, digest } = approval;
  const other = { approvalId: newId('approval'), digest: sha256Hex(approvalId) };
  const wanted = { path: `/v2/policy-approvals/${approvalId}/decisions`, body: '{"value":"Approved"}', approvalDigest: digest };
  const layer = random.oneOf(LAYERS);
  const votes: readonly Evidence[] = [people.ben, people.cyd].map((one) => layer(people.voteOf(one, other), wanted, scene));
  return { order: { ...order, evidence: [asked, approval, ...votes] } };
}

/** Genuine actions of people, rewritten up to one layer of the signed data. */
export const LAYER_ATTACKS: readonly Attack[] = [
  { kind: 'request changed under its signature', weight: 5, make: stolenRequest },
  { kind: 'votes changed under their signatures', weight: 5, make: stolenVotes },
];
