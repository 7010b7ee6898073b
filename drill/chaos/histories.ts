import type { Stage } from '../rig';
import type { Ordered, Told } from './invariants';

/** A row of the history of a wallet or of an address watch. */
export type Moved = {
  readonly address: string;
  readonly direction: string;
  readonly status: string;
  readonly txHash: string;
  readonly amountUnits: bigint;
};
export type Histories = {
  readonly moved: readonly Moved[];
  /** The recipients that an address watch follows. */
  readonly watched: ReadonlySet<string>;
};

/** The networks on which the recipient of one transfer in four is watched. */
const WATCHED_NETWORKS: ReadonlySet<string> = new Set(['EthereumSepolia', 'SolanaDevnet']);
const WATCHED_SHARE = 4;

/** Whether the recipient gets an address watch. The last byte of the recipient's seed decides, so a repeated run does the same. */
export const isWatched = (network: string, recipient: Uint8Array): boolean =>
  WATCHED_NETWORKS.has(network) && (recipient.at(-1) ?? 0) % WATCHED_SHARE === 0;

export async function readHistories({ sql, orgId }: Pick<Stage, 'sql' | 'orgId'>): Promise<Histories> {
  const rows = await sql<Omit<Moved, 'amountUnits'> & { readonly units: string | null }>(
    `SELECT w.address, m.direction, m.status, m.tx_hash AS "txHash", m.amount_units AS units
     FROM movements m JOIN watched_addresses w ON w.org_id = m.org_id AND w.subject_id = m.subject_id WHERE m.org_id = $1`,
    [orgId()],
  );
  const watches = await sql<{ readonly address: string }>('SELECT address FROM address_watches WHERE org_id = $1', [orgId()]);
  return {
    moved: rows.map(({ units, ...row }) => ({ ...row, amountUnits: BigInt(units ?? 0) })),
    watched: new Set(watches.map(({ address }) => address.toLowerCase())),
  };
}

/**
 * The history of the sender must have each confirmed transfer once, with the status `Confirmed`. The history of a watched
 * recipient must have the payment in the same way, and no payment for a transfer that was not confirmed.
 */
export function missingIn(
  { moved, watched }: Histories,
  { ordered, told }: { readonly ordered: readonly Ordered[]; readonly told: readonly Told[] },
): readonly string[] {
  return ordered.flatMap(({ externalId, from, to, amountUnits }) => {
    const own = told.find((one) => one.externalId === externalId);
    const isConfirmed = own?.state === 'Confirmed';
    const rowsOf = (address: string, direction: string) =>
      moved
        .filter((row) => row.address.toLowerCase() === address.toLowerCase() && row.direction === direction)
        .filter(({ txHash }) => direction === 'In' || txHash === own?.txHash)
        .map((row) => `${row.status} ${row.amountUnits}`);
    const wanted = isConfirmed ? `Confirmed ${amountUnits}` : '';
    const sent = isConfirmed ? rowsOf(from, 'Out').join() : '';
    const received = rowsOf(to, 'In').join();
    return [
      ...(sent === wanted ? [] : [`${externalId}: the history of its sender has [${sent}] instead of [${wanted}]`]),
      ...(!watched.has(to.toLowerCase()) || received === wanted
        ? []
        : [`${externalId}: the history of its watched recipient has [${received}] instead of [${wanted}]`]),
    ];
  });
}
