import { z } from 'zod';
import { TRANSFER_ENDS } from '../domain/transfers';
import { createClient } from '../local/client';
import type { TrialUser } from '../local/trial-organization';
import { charterDigest, readCharterInForce } from '../signer/charters/charter';
import { type CharterEntry, isCharterEntry } from '../signer/record/charter-entries';
import type { Entry } from '../signer/record/journal/entries';
import { readJournal } from '../signer/record/read-journal';
import { amendmentsOf } from '../workflows/amendments.messages';
import { AMOUNT_UNITS, type Cell } from './cases';
import { differs } from './differs';
import { until } from './faults/polling';
import type { Office } from './office';
import type { Stage } from './rig';
import { journalOf } from './signer-journal';

type CharterRow = { readonly orgId: string; readonly sequence: number; readonly digest: string; readonly text: string };
type Head = Pick<CharterRow, 'orgId' | 'sequence' | 'digest'>;
type AmendmentRow = Head & { readonly id: string; readonly kind: string; readonly status: string };

/** The charters of these organisations, in the journal of the signer and in the rows of the service. */
export type Charters = {
  readonly entries: readonly CharterEntry[];
  readonly rows: readonly CharterRow[];
  readonly heads: readonly Head[];
  readonly amendments: readonly AmendmentRow[];
  readonly unrelayed: readonly string[];
};

export async function readCharters(stage: Stage, orgIds: readonly string[]): Promise<Charters> {
  const entries: CharterEntry[] = [];
  if (orgIds.length > 0)
    await readJournal(stage.folderOf('signer'), (json) => {
      const entry: Entry = JSON.parse(json);
      if (isCharterEntry(entry) && orgIds.includes(entry.orgId)) entries.push(entry);
    });
  const of = <R extends object>(columns: string, table: string) =>
    stage.sql<R>(`SELECT org_id AS "orgId", ${columns} FROM ${table} WHERE org_id = ANY($1) ORDER BY sequence`, [orgIds]);
  const unrelayed = await stage.sql<{ aggregate: string }>(
    'SELECT aggregate_id AS aggregate FROM outbox WHERE date_relayed IS NULL AND aggregate_id = ANY($1)',
    [orgIds.map(amendmentsOf)],
  );
  return {
    entries,
    rows: await of<CharterRow>('sequence, digest, text', 'charters'),
    heads: await of<Head>('sequence, digest', 'charter_heads'),
    amendments: await of<AmendmentRow>('sequence, digest, id, kind, status', 'amendments'),
    unrelayed: unrelayed.map(({ aggregate }) => aggregate),
  };
}

/**
 * The signer's journal and the rows must have exactly one charter after the first, and the member who left must not be in
 * it. Then the signer must sign for the administrator, and not for the former member.
 */
export async function charterFaults(
  stage: Stage,
  found: Charters,
  { office, point, recipient }: Cell,
): Promise<readonly string[]> {
  if (!office) return ['it has no organisation'];
  const isAmended = point.story === 'amended';
  const { orgId } = office;
  const own = <R extends { readonly orgId: string }>(list: readonly R[]) => list.filter((one) => one.orgId === orgId);
  const entries = own(found.entries);
  const last = entries.at(-1);
  const inForce = headOf(last);
  const entry = last?.kind === 'CharterAmended' ? `${last.amendmentId} deactivateUser InForce ${inForce}` : '';
  const amendments = own(found.amendments).map((row) => `${row.id} ${row.kind} ${row.status} ${headOf(row)}`);
  const faults = [
    ...differs(
      'charters',
      entries.map(({ kind }) => kind),
      ['CharterAdopted', isAmended ? 'CharterAmended' : 'CharterRestricted'],
    ),
    ...differs(
      'their numbers',
      entries.map(({ sequence }) => sequence),
      [1, 2],
    ),
    ...differs('the charter before', last && 'previous' in last ? last.previous : 'none', entries[0]?.digest),
    ...differs('the charter of the service', own(found.rows).map(headOf), inForce),
    ...differs('the charters that the service knows', own(found.heads).map(headOf), entries.map(headOf)),
    ...differs('amendments', amendments, entry),
    ...own(found.rows).flatMap((row) => textFaults(row, office)),
    ...(found.unrelayed.includes(amendmentsOf(orgId))
      ? ['the outbox still holds the row that starts the workflow of the amendments']
      : []),
  ];
  if (faults.length > 0) return faults;
  office.tried ??= tryBoth(stage, office, { recipient, isAmended });
  return office.tried.catch((error: unknown) => {
    office.tried = undefined;
    throw error;
  });
}

const headOf = (head: Pick<Head, 'sequence' | 'digest'> | undefined): string => `${head?.sequence} ${head?.digest}`;

function textFaults({ digest, text }: CharterRow, { leaver }: Office): readonly string[] {
  const members = readCharterInForce(text)?.members ?? [];
  return [
    ...differs('the digest of the text', charterDigest(text), digest),
    ...differs('members', members.length, 1),
    ...(members.some(({ userId }) => userId === leaver.userId) ? ['the leaver is still a member'] : []),
  ];
}

const Transfer = z.object({ id: z.string(), status: z.string(), reason: z.string().optional() });
const ENDED: readonly string[] = TRANSFER_ENDS;

async function tryBoth(
  stage: Stage,
  office: Office,
  { recipient, isAmended }: { readonly recipient: string; readonly isAmended: boolean },
): Promise<readonly string[]> {
  const { admin, leaver, wallet } = office;
  // The check makes the former member active again in the rows. Otherwise the service would refuse the payment, and the signer
  // would not be asked.
  if (isAmended) {
    await stage.sql('UPDATE users SET is_active = true WHERE id = $1', [leaver.userId]);
    await stage.sql('UPDATE access_tokens SET is_active = true WHERE user_id = $1', [leaver.userId]);
  }
  // The payments run one after the other, because a refused payment gives its nonce back, and a later nonce would wait for this
  // nonce.
  const refused = await endOfPayment(stage, office, leaver, recipient);
  const paid = await endOfPayment(stage, office, admin, recipient);
  const count = await stage.rpc('eth_getTransactionCount', [wallet.address, 'latest']);
  return [
    ...differs('the payment of the administrator', paid.status, 'Confirmed'),
    ...differs('the payment of the leaver', refused.status, 'Failed'),
    ...(refused.reason?.includes('NotInCharter') ? [] : [`the leaver got another reason: ${refused.reason}`]),
    ...differs('payments of the wallet', Number(count), 1),
    ...(journalOf(stage).includes(`"requestId":"${refused.id}"`) ? ['the signer has signed for the leaver'] : []),
  ];
}

async function endOfPayment(stage: Stage, { orgId, wallet }: Office, by: TrialUser, to: string) {
  const client = createClient(stage.place().apiUrl, by);
  const path = `/wallets/${wallet.id}/transfers`;
  const body = { kind: 'Native', to, amount: AMOUNT_UNITS.toString(), externalId: `${orgId}-${by.name}` };
  const { id } = await client.change('POST', path, body, Transfer);
  return until('the payment has ended', async () => {
    const transfer = await client.get(`${path}/${id}`, Transfer);
    return ENDED.includes(transfer.status) ? transfer : undefined;
  });
}
