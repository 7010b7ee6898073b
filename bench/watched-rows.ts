import { getAddress } from 'viem';
import { newId } from '../platform/ids';
import { RECIPIENTS, recipientOf } from './log-chain';
import { SCANNED } from './paced-chain';
import type { BenchPostgres } from './postgres';

const OLD = '2020-01-01';

type Rows = {
  readonly orgId: string;
  /** Every recipient whose number is divisible by this value is watched. */
  readonly everyRecipient: number;
};

/** Replaces all watches with watches that are older than the chain, and deletes all results of scans. */
export async function writeWatches({ query }: BenchPostgres, { orgId, everyRecipient }: Rows): Promise<void> {
  await query(`TRUNCATE scans, chain_blocks, movements, watched_addresses, address_watches, holdings, events, outbox, feed_pending,
    feed_entries, feed_heads CASCADE`);
  const numbers = Array.from({ length: RECIPIENTS / everyRecipient }, (_, at) => at * everyRecipient);
  const base = newId('addressWatch').slice(0, -8);
  await query(
    `WITH rows AS (
       SELECT $2 || lpad(place::text, 8, '0') AS id, address FROM unnest($3::text[]) WITH ORDINALITY AS r (address, place)
     ), watches AS (
       INSERT INTO address_watches (org_id, id, network, address, status, request_digest, date_created)
       SELECT $1, id, $4, address, 'Active', 'dd', $5::timestamptz FROM rows
     )
     INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address, date_added)
     SELECT $1, id, 'AddressWatch', $4, address, $5::timestamptz FROM rows`,
    [orgId, base, numbers.map((number) => getAddress(recipientOf(number))), SCANNED, OLD],
  );
  await query('ANALYZE watched_addresses, address_watches');
}
