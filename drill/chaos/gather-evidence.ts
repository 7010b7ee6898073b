import { z } from 'zod';
import type { Vault } from '../fleets/vault';
import { readVaults } from '../fleets/vault-records';
import type { Stage } from '../rig';
import type { Party } from './actors';
import type { FeedReader } from './feed-reader';
import { readHistories } from './histories';
import type { Evidence, Moment, Ordered, Told } from './invariants';

export type Payer = { readonly network: string; readonly address: string; readonly fundedUnits: bigint };

const Delivered = z.object({
  kind: z.string(),
  version: z.number(),
  data: z.object({ transferRequest: z.object({ id: z.string() }) }),
});

export type Rows = Pick<Evidence, 'told' | 'events' | 'arrived' | 'unrelayed' | 'openClaims' | 'eventIds' | 'histories'>;

/** `arrived` comes from the webhook receiver, and everything else comes from the database. */
export async function readRows(stage: Stage, ordered: readonly Ordered[]): Promise<Rows> {
  const { sql, receiver, orgId } = stage;
  const rows = await sql<{ externalId: string; id: string; state: string; fee: string | null; txHash: string | null }>(
    `SELECT external_id AS "externalId", id, state, fee_units AS fee, tx_hash AS "txHash" FROM transfers WHERE external_id = ANY($1)`,
    [ordered.map(({ externalId }) => externalId)],
  );
  const told = rows.map(({ fee, ...row }): Told => ({ ...row, feeUnits: BigInt(fee ?? 0) }));
  const ids = told.map(({ id }) => id);
  const events = await sql<Moment>(
    `SELECT aggregate_id AS "transferId", kind, aggregate_version AS version FROM events WHERE aggregate_id = ANY($1)`,
    [ids],
  );
  const idsIn = async (query: string) => (await sql<{ id: string }>(query, [ids])).map(({ id }) => id);
  const all = await sql<{ id: string }>('SELECT id FROM events WHERE org_id = $1', [orgId()]);
  return {
    told,
    events,
    eventIds: all.map(({ id }) => id),
    histories: await readHistories(stage),
    arrived: receiver.received.flatMap(({ text }): Moment[] => {
      const parsed = Delivered.safeParse(JSON.parse(text));
      if (!parsed.success) return [];
      const { kind, version, data } = parsed.data;
      return [{ transferId: data.transferRequest.id, kind, version }];
    }),
    unrelayed: await idsIn(
      'SELECT DISTINCT aggregate_id AS id FROM outbox WHERE date_relayed IS NULL AND aggregate_id = ANY($1)',
    ),
    openClaims: await idsIn(`SELECT DISTINCT transfer_id AS id FROM claims WHERE state <> 'Consumed' AND transfer_id = ANY($1)`),
  };
}

type Witnesses = {
  readonly stage: Stage;
  readonly reader: FeedReader;
  readonly parties: ReadonlyMap<string, Party>;
  readonly vault: Pick<Vault, 'orgId'>;
};

export async function gatherEvidence(
  { stage, reader, parties, vault }: Witnesses,
  ordered: readonly Ordered[],
  payers: readonly Payer[],
): Promise<Evidence> {
  const paid = new Map<string, readonly bigint[]>();
  const purses: Evidence['purses'][number][] = [];
  for (const [network, party] of parties) {
    const own = payers.filter((payer) => payer.network === network);
    const found = await party.look(
      own.map(({ address }) => address),
      ordered.filter((one) => one.network === network).map(({ to }) => to),
    );
    for (const [to, payments] of found.paid) paid.set(to, payments);
    for (const payer of own) {
      const held = found.held.get(payer.address);
      if (held) purses.push({ ...payer, ...held });
    }
  }
  // The rows are read before the feed, because a feed that was read first would lack the events between the two reads.
  const rows = await readRows(stage, ordered);
  return { ordered, paid, purses, ...rows, offline: await readVaults(stage, [vault.orgId]), feed: await reader.readToHead() };
}
