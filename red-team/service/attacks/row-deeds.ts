import { TRANSFER_ENDS } from '../../../domain/transfers';
import { digestOf } from '../../../platform/canonical';
import { newId } from '../../../platform/ids';
import { AMENDMENT_RECORDED, amendmentsOf } from '../../../workflows/amendments.messages';
import { FREEZE_CHANGED } from '../../../workflows/freeze.messages';
import { TRANSFER_SIGNALS } from '../../../workflows/transfer.messages';
import type { RowWriter } from '../row-writer';
import type { Request } from '../traffic';
import { anyRequest, type Deed, isTransfer, type ServiceScene, THIEF_ADDRESS } from './deed';

const NETWORK = 'EthereumSepolia';
const DENIED_BY_POSTGRES: ReadonlySet<unknown> = new Set([
  '42501',
  '23505',
  '23503',
  '23514',
  '23502',
  '42P01',
  '42703',
  'P0001',
]);
const Coded = (error: unknown) => (error as { readonly code?: unknown }).code;

type Write = (scene: ServiceScene, rows: RowWriter) => Promise<unknown>;

/** Writes rows in the role of the API or of the worker. The database's refusals are counted by their codes. */
const deed = (kind: string, weight: number, write: Write): Deed => ({
  kind,
  weight,
  act: async (scene) => {
    const role = scene.random.oneOf(['app', 'app', 'worker'] as const);
    try {
      const written = await write(scene, scene.hands.rows[role]);
      return written === undefined ? undefined : { kind: 'Accepted', result: {} };
    } catch (error) {
      const code = Coded(error);
      if (!DENIED_BY_POSTGRES.has(code)) throw error;
      return { kind: 'Refused', reason: `${role} ${String(code)}` };
    }
  },
});

const wake = (rows: RowWriter, id: string) => rows.dispatch('signal', id, { signal: TRANSFER_SIGNALS.approvalChanged });
const forbidden = (scene: ServiceScene): Request | undefined => anyRequest(scene, (one) => isTransfer(one) && one.isForbidden);
const waiting = (scene: ServiceScene): Request | undefined =>
  anyRequest(scene, (one) => isTransfer(one) && one.approvalId !== undefined);
const start = (rows: RowWriter, id: string, { wallet }: Request) =>
  rows.dispatch('start', id, { workflow: 'transfer', network: NETWORK, walletId: wallet.id });

/** Marks the policies as changed, so that every worker reads the policies again. */
const newEpoch = (rows: RowWriter) => rows.run('UPDATE organizations SET policy_epoch = policy_epoch + 1');

/**
 * A policy version that does not hold any request. The next version has the genuine content again, so that people still get
 * requests for approval.
 */
async function archivePolicy({ company, random }: ServiceScene, rows: RowWriter) {
  const id = random.oneOf(company.policies);
  const last = `policy_id = '${id}' ORDER BY revision DESC LIMIT 1`;
  const [row] = await rows.run(`SELECT revision, version FROM policy_versions WHERE ${last}`);
  const revision = Number(row?.['revision']) + 1;
  const softer = random.oneOf<object>([{ status: 'Archived' }, { action: { kind: 'NoAction' } }, { mode: 'Shadow' }]);
  await rows.copy('policy_versions', last, { revision, version: Number(row?.['version']) + 1, ...softer });
  await newEpoch(rows);
  const genuine = `policy_id = '${id}' AND revision = 1`;
  return rows.copy('policy_versions', genuine, { revision: revision + 1 }).then(() => newEpoch(rows));
}

/** A policy with a quorum of one, or a policy that does not require approval. */
async function plantPolicy({ company, random }: ServiceScene, rows: RowWriter) {
  const id = newId('policy');
  const action = random.oneOf<object>([
    { kind: 'NoAction' },
    { kind: 'RequestApproval', approvalGroups: [{ name: 'One', quorum: 1, approvers: {} }] },
  ]);
  await rows.run('INSERT INTO policies (org_id, id) VALUES ($1, $2)', [company.orgId, id]);
  await rows.copy('policy_versions', `policy_id = '${company.policies[0]}' AND revision = 1`, { policy_id: id, action });
  return newEpoch(rows);
}

async function approveInRow(scene: ServiceScene, rows: RowWriter) {
  const found = forbidden(scene) ?? waiting(scene);
  if (!found?.approvalId) return undefined;
  await rows.run(`UPDATE approvals SET status = 'Approved', date_resolved = now() WHERE id = $1`, [found.approvalId]);
  const state = scene.random.oneOf(['Approved', 'Signing', 'AwaitingApproval']);
  await rows.run(
    `UPDATE transfers SET state = $2, approval_id = $3,
       policy_epoch = (SELECT policy_epoch FROM organizations LIMIT 1) WHERE id = $1 AND state = 'AwaitingApproval'`,
    [found.id, state, scene.random.oneOf([null, found.approvalId])],
  );
  return wake(rows, found.id);
}

async function changeRequest(scene: ServiceScene, rows: RowWriter) {
  const found = waiting(scene) ?? anyRequest(scene, isTransfer);
  if (!found) return undefined;
  const set = scene.random.oneOf([
    `to_address = '${THIEF_ADDRESS}'`,
    'amount_units = amount_units * 9',
    'fee_ceiling_units = fee_ceiling_units * 2',
    `wallet_id = '${scene.company.wallets.free.id}'`,
    `request_body = request_body || '{"to":"${THIEF_ADDRESS}"}'`,
  ]);
  return rows.run(`UPDATE transfers SET ${set} WHERE id = $1 AND state <> ALL ($2)`, [found.id, [...TRANSFER_ENDS]]);
}

/** An approval that needs only one vote, or whose content is a payment to the thief. */
async function rewriteApproval(scene: ServiceScene, rows: RowWriter) {
  const found = waiting(scene);
  const [row] = await rows.run('SELECT committed FROM approvals WHERE id = $1', [found?.approvalId]);
  const committed = row?.['committed'] as undefined | { readonly groups: readonly object[]; readonly envelope: object };
  if (!found || !committed) return undefined;
  const groups = committed.groups.map((group) => ({ ...group, quorum: 1 }));
  const envelope = { ...committed.envelope, to: THIEF_ADDRESS };
  const rewritten = scene.random.oneOf<object>([
    { ...committed, groups },
    { ...committed, envelope },
    { ...committed, groups, envelope },
  ]);
  const digest = digestOf(JSON.parse(JSON.stringify(rewritten)));
  await rows.run('UPDATE approvals SET groups = $2, committed = $3, digest = $4 WHERE id = $1', [
    ...[found.approvalId, JSON.stringify(groups), JSON.stringify(rewritten), digest],
  ]);
  return wake(rows, found.id);
}

/** Votes that no officer cast, with the signed action of another vote. */
async function plantVotes(scene: ServiceScene, rows: RowWriter) {
  const found = forbidden(scene);
  if (!found?.approvalId) return undefined;
  const { orgId, people } = scene.company;
  for (const { userId } of [people.ben, people.cyd, people.dan])
    await rows.run(
      `INSERT INTO approval_votes (org_id, approval_id, user_id, value, user_action_id)
       SELECT $1, $2, $3, 'Approved', v.user_action_id FROM approval_votes v WHERE v.user_id = $3 LIMIT 1 ON CONFLICT DO NOTHING`,
      [orgId, found.approvalId, userId],
    );
  await rows.run(`UPDATE approvals SET status = 'Approved' WHERE id = $1`, [found.approvalId]);
  return wake(rows, found.id);
}

/** A copy of a requested transfer, to the same recipient or to the thief. */
async function plantTransfer(scene: ServiceScene, rows: RowWriter) {
  const found = anyRequest(scene, isTransfer);
  if (!found) return undefined;
  const id = newId('transfer');
  const { random } = scene;
  await rows.copy('transfers', `id = '${found.id}'`, {
    ...{ id, external_id: null, tx_hash: null, reason: null, date_confirmed: null, date_broadcasted: null, waiting_since: null },
    ...(random.share() < 0.6 ? { to_address: THIEF_ADDRESS } : {}),
    ...(random.share() < 0.7 ? { user_action_id: null } : {}),
    ...(random.share() < 0.5 ? { claims_of: found.id, replacement_kind: random.oneOf(['SpeedUp', 'Cancel']) } : {}),
    state: random.oneOf(['Requested', 'Approved']),
  });
  return start(rows, id, found);
}

/** A verdict that lets the request pass. */
async function plantVerdict(scene: ServiceScene, rows: RowWriter) {
  const found = forbidden(scene);
  if (!found) return undefined;
  const id = newId('verdict');
  await rows.copy('verdicts', `activity_id = '${found.id}' LIMIT 1`, { id, outcome: 'Cleared' });
  await rows.run(
    `UPDATE transfers SET state = 'Approved', approval_id = NULL, verdict_id = $2,
       policy_epoch = (SELECT policy_epoch FROM organizations LIMIT 1) WHERE id = $1 AND state = 'AwaitingApproval'`,
    [found.id, id],
  );
  return wake(rows, found.id);
}

/** Makes the relay send an outbox row again: resets the row in the relay's role, or inserts a new start or signal message. */
async function replayOutbox(scene: ServiceScene, rows: RowWriter) {
  const { random, hands } = scene;
  const found = anyRequest(scene);
  if (!found) return undefined;
  if (random.share() < 0.5)
    return hands.rows.relay.run('UPDATE outbox SET date_relayed = NULL, date_due = now() WHERE aggregate_id = $1', [found.id]);
  return random.share() < 0.5 ? start(rows, found.id, found) : wake(rows, found.id);
}

async function liftFreeze({ company: { freezeId } }: ServiceScene, rows: RowWriter) {
  await rows.run(
    `UPDATE freezes SET date_released = now(), released_by = created_by,
       release_action_id = (SELECT id FROM user_actions WHERE date_consumed IS NOT NULL ORDER BY random() LIMIT 1)
     WHERE id = $1 AND date_released IS NULL`,
    [freezeId],
  );
  await rows.run('DELETE FROM frozen_activities');
  return rows.dispatch('signal', freezeId, { signal: FREEZE_CHANGED });
}

/** A change of the charter's row, which the signer does not read, or an amendment with the action of another request. */
async function changeCharter({ company: { orgId, people }, random }: ServiceScene, rows: RowWriter) {
  if (random.share() < 0.4) {
    const wanted = `text = replace(text, '"quorum":2', '"quorum":1'), sequence = sequence + 1, date_seen = now()`;
    return rows.run(`UPDATE charters SET ${wanted}`);
  }
  const given = random.oneOf<object>([{ kind: 'archivePolicy' }, { kind: 'untagWallet' }, { kind: 'deactivateUser' }]);
  await rows.run(
    `INSERT INTO amendments (org_id, id, kind, user_action_id, given)
     SELECT $1, $2, $3, id, $4 FROM user_actions WHERE user_id = $5 AND date_consumed IS NOT NULL ORDER BY random() LIMIT 1`,
    [orgId, newId('amendment'), (given as { readonly kind: string }).kind, JSON.stringify(given), people.ada.userId],
  );
  return rows.dispatch('signal', amendmentsOf(orgId), { signal: AMENDMENT_RECORDED });
}

/** Statements that change rows on which the service bases its judgements. The database refuses most of the statements. */
const STATEMENTS: readonly ((scene: ServiceScene) => string)[] = [
  () => `UPDATE credentials SET public_key = 'x'`,
  () => `UPDATE user_actions SET body_sha256 = 'x', path = '/'`,
  () => 'UPDATE user_actions SET date_consumed = NULL WHERE date_consumed IS NOT NULL',
  () => 'UPDATE approval_approvers SET may_approve = true',
  () => `UPDATE organizations SET settings = settings || '{"keyExport":true,"keyExportWaitHours":0,"grantBeyondOwnRights":true}'`,
  ({ company }) => `DELETE FROM wallet_tags WHERE wallet_id = '${company.wallets.held.id}'`,
  ({ company }) => `UPDATE keys SET delegated_to = '${company.people.ada.userId}' WHERE id = '${company.wallets.held.keyId}'`,
  ({ company }) => `UPDATE keys SET delegated_to = NULL WHERE id = '${company.wallets.held.keyId}'`,
  ({ company }) => `UPDATE wallets SET address = '${THIEF_ADDRESS}' WHERE id = '${company.wallets.free.id}'`,
  ({ company }) => `UPDATE wallets SET key_id = '${company.wallets.free.keyId}' WHERE id = '${company.wallets.held.id}'`,
  () => 'DELETE FROM usage_reservations',
  () => `UPDATE wallet_attestations SET attestation = 'x'`,
  // The bytes stay unchanged, because without them the judge would report a genuine signature as a gain.
  () => `UPDATE payloads SET nonce = 0, max_fee_units = 0`,
  () => `UPDATE claims SET state = 'Consumed' WHERE state <> 'Consumed'`,
  () => `INSERT INTO signer_switches (name) VALUES ('x')`,
  () => 'SET ROLE strongroom_owner',
];

const statement: Write = async (scene, rows) => rows.run(scene.random.oneOf(STATEMENTS)(scene));

/** A second wallet with a held key on another network, and an attestation of the thief's address. */
async function plantWallet({ company: { wallets }, random }: ServiceScene, rows: RowWriter) {
  const id = newId('wallet');
  const from = `id = '${wallets.held.id}'`;
  const network = random.oneOf(['PolygonAmoy', 'BaseSepolia', 'ArbitrumSepolia', 'Ethereum']);
  await rows.copy('wallets', from, {
    id,
    network,
    external_id: null,
    ...(random.share() < 0.5 ? { address: THIEF_ADDRESS } : {}),
  });
  await rows.copy('wallet_attestations', `wallet_id = '${wallets.held.id}'`, { wallet_id: id });
  return id;
}

/** Attacks by writing rows that concern the requests of people, in the database roles of the service. */
export const ROW_DEEDS: readonly Deed[] = [
  deed('row: a policy is archived', 1.5, archivePolicy),
  deed('row: a policy is planted', 0.5, plantPolicy),
  deed('row: an approval says approved', 5, approveInRow),
  deed('row: a request is changed', 3, changeRequest),
  deed('row: an approval is rewritten', 2, rewriteApproval),
  deed('row: votes are planted', 4, plantVotes),
  deed('row: a transfer is planted', 4, plantTransfer),
  deed('row: a verdict is planted', 3, plantVerdict),
  deed('row: the outbox is replayed', 3, replayOutbox),
  deed('row: a freeze is lifted', 1, liftFreeze),
  deed('row: the charter is changed', 2, changeCharter),
  deed('row: what policies read', 4, statement),
  deed('row: a wallet is planted', 1, plantWallet),
];
