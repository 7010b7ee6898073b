import { newId } from '../platform/ids';
import type { BenchPostgres } from './postgres';

export const WALLETS = 200;
const OTHER_ORGANIZATIONS = 20;
const ROWS_PER_STATEMENT = 50_000;

/** Transfers of twenty-one organisations. Most of the transfers belong to the main organisation. */
export type TransferRows = {
  readonly orgId: string;
  /**
   * Inserts transfers until the table has `count` rows. Four of five transfers belong to the main organisation, spread over 200
   * wallets.
   */
  readonly fillTo: (count: number) => Promise<void>;
  /** The main organisation's n-th transfer, for n below `own()`. */
  readonly row: (n: number) => { readonly walletId: string; readonly transferId: string };
  readonly own: () => number;
};

const OWN_SHARE = 0.8;
/** An id in the published format that contains the number `n`. */
export const idOf = (prefix: string, n: number) => `${prefix}-01abc-01abc-${n.toString(16).padStart(16, '0')}`;
/** The SQL form of `idOf`, where `n` is an SQL expression. */
export const sqlId = (prefix: string, n: string) => `'${prefix}-01abc-01abc-' || lpad(to_hex(${n}), 16, '0')`;

export async function writeTransferRows({ query }: BenchPostgres): Promise<TransferRows> {
  const orgs = Array.from({ length: OTHER_ORGANIZATIONS + 1 }, () => newId('organization'));
  const [orgId = '', ...others] = orgs;
  await query(`INSERT INTO organizations (id, name) SELECT id, id FROM unnest($1::text[]) AS id`, [orgs]);
  await query(
    `INSERT INTO keys (org_id, id, scheme, curve, status, public_key)
     SELECT org, ${sqlId('key', 'n')}, 'ECDSA', 'secp256k1', 'Active', lpad(to_hex(n), 66, '0')
     FROM unnest($1::text[]) org, generate_series(0, $2 - 1) n`,
    [orgs, WALLETS],
  );
  await query(
    `INSERT INTO wallets (org_id, id, network, key_id, status, address, request_digest, created_by)
     SELECT org, ${sqlId('wa', 'n')}, 'EthereumSepolia', ${sqlId('key', 'n')}, 'Active', '0x' || repeat('1', 40), '', 'us'
     FROM unnest($1::text[]) org, generate_series(0, $2 - 1) n`,
    [orgs, WALLETS],
  );
  let written = 0;
  const own = () => Math.floor(written * OWN_SHARE);

  const write = async (owners: readonly string[], from: number, to: number): Promise<void> => {
    for (let start = from; start < to; start += ROWS_PER_STATEMENT) {
      await query(
        `INSERT INTO transfers (org_id, id, wallet_id, network, requester_user_id, requester_token_id, request_body,
           request_digest, asset_kind, from_address, to_address, amount_units, priority, asset_symbol, asset_decimals,
           asset_verified, fee_ceiling_units, state, tx_hash, fee_units, version, date_policy_resolved, date_broadcasted, date_confirmed)
         SELECT ($1::text[])[1 + n % cardinality($1::text[])], ${sqlId('xfr', 'n')}, ${sqlId('wa', `n % ${WALLETS}`)},
           'EthereumSepolia', 'us-01abc-01abc-0000000000000000', 'to-01abc-01abc-0000000000000000',
           jsonb_build_object('kind', 'Native', 'to', '0x' || repeat('2', 40), 'amount', (1000 + n)::text), md5(n::text),
           'Native', '0x' || repeat('1', 40), '0x' || repeat('2', 40), 1000 + n, 'Standard', 'ETH', 18, true, 1000000000000000,
           'Confirmed', '0x' || md5(n::text) || md5(n::text), 21000000000000, 5,
           clock_timestamp(), clock_timestamp(), clock_timestamp()
         FROM generate_series($2::integer, $3::integer) n`,
        [[...owners], start, Math.min(to, start + ROWS_PER_STATEMENT) - 1],
      );
    }
  };
  return {
    orgId,
    own,
    fillTo: async (count) => {
      const before = { own: own(), others: written - own() };
      written = count;
      await write([orgId], before.own, own());
      await write(others, before.others, count - own());
      await query('VACUUM ANALYZE transfers');
      await query('VACUUM ANALYZE wallets, keys');
    },
    row: (n) => ({ walletId: idOf('wa', n % WALLETS), transferId: idOf('xfr', n) }),
  };
}
