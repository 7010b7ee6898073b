import { createHash, generateKeyPairSync } from 'node:crypto';
import { createSignatory, signedRequest } from '../../bench/signatory';
import { challengeOf } from '../../platform/action-challenge';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import type { Evidence } from '../../signer/record/evidence';
import { envelopeOf } from '../honest';
import type { Action, Approval } from '../people';
import { seeing, seenPlace } from '../seen';
import { type Attack, type Attempt, evidenceOf, type Scene } from './attack';
import { THIEF } from './contents';

const sha256Hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const isAction = (one: Evidence): one is Action => one.kind === 'Initiator' || one.kind === 'Approver';
const isVote = (one: Evidence): one is Action => one.kind === 'Approver';
const isApproval = (one: Evidence): one is Approval => one.kind === 'Approval';
type Json = Parameters<typeof digestOf>[0];

const withEvidence = ({ genuine }: Scene, evidence: readonly Evidence[]): Attempt => ({ order: { ...genuine.order, evidence } });

/** Changes the action and recomputes its digest and challenge, so that only the signature does not match. */
function rewritten(action: Action, orgId: string, changes: Partial<Action>): Action {
  const next = { ...action, ...changes };
  const bodySha256 = sha256Hex(next.body ?? '');
  const { userId, credentialIds, method, path, approvalDigest, anchor = null } = next;
  const dateExpires = new Date(next.dateExpires);
  const committed = { orgId, userId, credentialIds, method, path, bodySha256, dateExpires, approvalDigest, anchor };
  const challenge = challengeOf(Buffer.from(next.nonce, 'base64url'), committed);
  const clientData = Buffer.from(JSON.stringify({ type: 'key.get', challenge, ...seenPlace('Key') })).toString('base64url');
  return { ...next, bodySha256, challenge, clientData };
}

function otherBody(scene: Scene): Attempt | undefined {
  const { genuine, organization, random } = scene;
  const evidence = evidenceOf(genuine.order);
  const actions = evidence.filter(isAction);
  if (actions.length === 0) return undefined;
  const action = random.oneOf(actions);
  const changes = random.oneOf<Partial<Action>>([
    { body: (action.body ?? '').replace(/"amount":"\d+"/, '"amount":"999999"') },
    { body: (action.body ?? '').replace(/"to":"[^"]+"/, `"to":"${THIEF.EthereumSepolia}"`) },
    { body: (action.body ?? '').replace('Denied', 'Approved') },
    { userId: organization.people.cyd.userId },
    { path: `/wallets/${organization.wallets.held.row.id}/transfers` },
    { path: `${action.path}/` },
    { path: action.path.replaceAll('/', '%2F') },
    { method: 'PUT' },
    { dateExpires: new Date(Date.now() + 9 * 60_000).toISOString() },
    { approvalDigest: 'ab'.repeat(32) },
    { anchor: (action.anchor ?? '').replace(/\.(\d+)\./, (_all, timeMs) => `.${BigInt(timeMs) + 1n}.`) },
    { nonce: 'AAAA' },
    { credentialIds: [] },
  ]);
  const isWhole = random.share() < 0.7;
  const next = isWhole ? rewritten(action, organization.orgId, changes) : { ...action, ...changes };
  return withEvidence(
    scene,
    evidence.map((one) => (one === action ? next : one)),
  );
}

/** The same request, signed with the attacker's keys. */
function forged(scene: Scene): Attempt | undefined {
  const { genuine, organization, random } = scene;
  const { orgId, people } = organization;
  const evidence = evidenceOf(genuine.order);
  const actions = evidence.filter(isAction);
  if (actions.length === 0) return undefined;
  const action = random.oneOf(actions);
  const thief = seeing(createSignatory(random.share() < 0.8 ? 'Ed25519 keys' : 'ES256 passkeys'));
  const { path, body = '', approvalDigest, kind, decided } = action;
  const signed = signedRequest(kind, thief, { orgId, path, body, approvalDigest, anchor: action.anchor ?? '' });
  const victim = random.oneOf([people.ada, people.ben, people.cyd, people.bot]);
  const named = random.oneOf<Partial<Action>>([
    {},
    { userId: victim.userId },
    { userId: victim.userId, credentialId: victim.credential.id },
    { userId: action.userId, credentialId: action.credentialId, firstFactorKind: 'Key' },
    { credentialId: action.credentialId, publicKey: action.publicKey },
  ]);
  const { nonce, dateExpires } = signed;
  const whole = random.share() < 0.7 ? rewritten(signed, orgId, { ...named, nonce, dateExpires }) : { ...signed, ...named };
  const forgedAction = decided === undefined ? whole : { ...whole, decided };
  return withEvidence(
    scene,
    evidence.map((one) => (one === action ? forgedAction : one)),
  );
}

const clientOf = ({ clientData }: Action): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(clientData ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
};

function otherClientData(scene: Scene): Attempt | undefined {
  const { genuine, random } = scene;
  const evidence = evidenceOf(genuine.order);
  const actions = evidence.filter(isAction);
  if (actions.length === 0) return undefined;
  const action = random.oneOf(actions);
  const client = clientOf(action);
  const authenticator = Buffer.from(action.authenticatorData ?? '', 'base64url');
  const flagless = Buffer.from(authenticator.map((byte, at) => (at === 32 ? 0 : byte)));
  const changes = random.oneOf<Partial<Action>>([
    { clientData: Buffer.from(JSON.stringify({ ...client, crossOrigin: true })).toString('base64url') },
    { clientData: Buffer.from(JSON.stringify({ ...client, type: 'webauthn.create' })).toString('base64url') },
    { clientData: Buffer.from(JSON.stringify({ ...client, origin: 'https://thief.example' })).toString('base64url') },
    { clientData: Buffer.from(`${JSON.stringify(client)} `).toString('base64url') },
    { clientData: null },
    { authenticatorData: flagless.toString('base64url') },
    { authenticatorData: authenticator.subarray(0, 36).toString('base64url') },
    { authenticatorData: null },
    { signature: null },
    { signature: `${action.signature ?? ''}AA` },
    { secondFactor: JSON.stringify({ credentialUuid: action.credentialId, ...client }) },
    { publicKey: generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString() },
  ]);
  return withEvidence(
    scene,
    evidence.map((one) => (one === action ? { ...action, ...changes } : one)),
  );
}

/** Combines the evidence of two orders. */
function recombined(scene: Scene): Attempt {
  const { genuine, other, random } = scene;
  const [mine, theirs] = [evidenceOf(genuine.order), evidenceOf(other.order)];
  const initiators = (list: readonly Evidence[]) => list.filter(({ kind }) => kind === 'Initiator');
  const rest = (list: readonly Evidence[]) => list.filter(({ kind }) => kind !== 'Initiator');
  const votes = (list: readonly Evidence[]) => list.filter(isVote);
  const approvals = (list: readonly Evidence[]) => list.filter(isApproval);
  const evidence = random.oneOf<readonly Evidence[]>([
    [...initiators(theirs), ...rest(mine)],
    [...initiators(mine), ...rest(theirs)],
    [...initiators(mine), ...approvals(mine), ...votes(theirs)],
    [...initiators(mine), ...approvals(theirs), ...votes(mine)],
    [...mine, ...theirs],
    [...initiators(mine), ...approvals(mine), ...votes(mine).slice(0, 1), ...votes(theirs).slice(0, 1)],
    mine.toReversed(),
    theirs,
  ]);
  return withEvidence(scene, evidence);
}

function otherVotes(scene: Scene): Attempt | undefined {
  const { genuine, random } = scene;
  const evidence = evidenceOf(genuine.order);
  const votes = evidence.filter(isVote);
  const [first, second] = votes;
  if (!first || !second) return undefined;
  const rest = evidence.filter((one) => !isVote(one));
  const asked = evidence.filter(isAction).filter(({ kind }) => kind === 'Initiator');
  const decidedOf = (change: (list: readonly object[]) => unknown): Action[] =>
    votes.map((vote) => ({ ...vote, decided: JSON.stringify(change(JSON.parse(vote.decided ?? '[]') as object[])) }));
  const [approval] = rest.filter(isApproval);
  return withEvidence(scene, [
    ...rest,
    ...random.oneOf<readonly Evidence[]>([
      [],
      [first],
      [second],
      [first, first],
      [second, second],
      [first, { ...first, userId: second.userId }],
      [first, { ...first, userId: second.userId, credentialId: second.credentialId }],
      [{ ...first, kind: 'Initiator' }, second],
      [first, ...asked.map((one): Action => ({ ...one, kind: 'Approver' }))],
      decidedOf((list) => list.toReversed()),
      decidedOf((list) => list.map((one) => ({ ...one, digest: null }))),
      decidedOf((list) => list.slice(1)),
      decidedOf((list) => [...list, ...list]),
      decidedOf(() => [{ approvalId: approval?.approvalId, digest: approval?.digest }]),
      decidedOf(() => null),
    ]),
  ]);
}

/** An approval of different content, with a recomputed digest or with the digest that people signed. */
function otherApproval(scene: Scene): Attempt | undefined {
  const { genuine, organization, random } = scene;
  const evidence = evidenceOf(genuine.order);
  const approval = evidence.find(isApproval);
  if (!approval) return undefined;
  const committed = JSON.parse(approval.committed) as Record<string, Json>;
  const [group = {}] = committed['groups'] as Record<string, Json>[];
  const { people } = organization;
  const envelope = genuine.content ? (envelopeOf(genuine.order, { ...genuine.content, amountUnits: 999_999n }) as Json) : {};
  const changes = random.oneOf<Record<string, Json>>([
    { groups: [{ ...group, quorum: 1 }] },
    { groups: [{ ...group, voterIds: [people.ada.userId, people.ben.userId] }] },
    { groups: [] },
    { groups: [{ ...group, groupId: 'other' }] },
    { groups: [group, group] },
    { activityId: 'xfr-other' },
    { org: 'or-other' },
    { policies: [] },
    { v: 2 },
    { envelope },
  ]);
  const text = JSON.stringify({ ...committed, ...changes });
  const digest = random.share() < 0.6 ? digestOf(JSON.parse(text) as Json) : approval.digest;
  const next = { ...approval, committed: text, digest };
  const before = random.share() < 0.3 ? [approval] : [];
  return withEvidence(
    scene,
    evidence.flatMap((one) => (one === approval ? [...before, next] : [one])),
  );
}

function fewer(scene: Scene): Attempt {
  const { genuine, random } = scene;
  const evidence = evidenceOf(genuine.order).filter(() => random.share() < 0.5);
  return random.share() < 0.3 ? { order: { ...genuine.order, evidence: undefined } } : withEvidence(scene, evidence);
}

/** A genuine action for a login or for another request, offered as evidence for this order. */
function ofOtherRequest(scene: Scene): Attempt {
  const { genuine, organization, random } = scene;
  const { people, wallets } = organization;
  const body = evidenceOf(genuine.order).filter(isAction)[0]?.body ?? '';
  const id = genuine.wallet.row.id;
  const path = random.oneOf([
    `/wallets/${id}`,
    `/wallets/${id}/transfers?dry=true`,
    `/wallets/${wallets.free.row.id}%2Ftransfers`,
    `/wallets/${id}/transfers//`,
    `/wallets//transfers`,
    `/keys/${genuine.wallet.row.keyId}/derive`,
    `/wallets/${newId('wallet')}/transfers`,
    '/auth/login',
  ]);
  return withEvidence(scene, [people.asked(people.ada, path, body)]);
}

/** Changed, recombined and forged evidence. */
export const EVIDENCE_ATTACKS: readonly Attack[] = [
  { kind: 'rewritten request', weight: 8, make: otherBody },
  { kind: 'keys of the attacker', weight: 6, make: forged },
  { kind: 'edited client data', weight: 5, make: otherClientData },
  { kind: 'evidence of two orders', weight: 9, make: recombined },
  { kind: 'edited votes', weight: 8, make: otherVotes },
  { kind: 'edited approval', weight: 6, make: otherApproval },
  { kind: 'less evidence', weight: 3, make: fewer },
  { kind: 'evidence of another request', weight: 3, make: ofOtherRequest },
];
