import { OFF_CHAIN_PREFIX, SIGNER_SWITCH_NAMES, SIGNER_SWITCHES, type SignerSwitch } from '../../domain/signer-switches';
import { FAILED_SIGNATURES } from '../ended-states';
import type { ReadAllRows } from '../upgrade-notices';

type Usage = { readonly orgId: string; readonly name: string } & Readonly<Record<SignerSwitch, number>>;

/**
 * SQL: counts each organisation's uses of the operations that a signer switch allows, without the requests that ended without a
 * signature.
 */
const USED = `
  WITH used AS (
    SELECT k.org_id, 1 AS "Export", 0 AS "Hash", 0 AS "ChainlessTypedData" FROM keys k WHERE k.date_exported IS NOT NULL
    UNION ALL
    SELECT s.org_id, 0, 1, 0 FROM signatures s JOIN keys k ON k.org_id = s.org_id AND k.id = s.key_id
    WHERE s.state NOT IN ${FAILED_SIGNATURES} AND (s.kind = 'Hash' OR (s.kind = 'Message' AND k.scheme = 'EdDSA'
      AND s.payload ->> 'messageHex' NOT LIKE '${OFF_CHAIN_PREFIX}%'))
    UNION ALL
    SELECT s.org_id, 0, 0, 1 FROM signatures s
    WHERE s.state NOT IN ${FAILED_SIGNATURES} AND s.kind = 'Eip712' AND NOT s.request_body -> 'domain' ? 'chainId')
  SELECT u.org_id AS "orgId", o.name, sum(u."Export")::integer AS "Export", sum(u."Hash")::integer AS "Hash",
    sum(u."ChainlessTypedData")::integer AS "ChainlessTypedData"
  FROM used u JOIN organizations o ON o.id = u.org_id GROUP BY 1, 2 ORDER BY 1`;

const WORDS: Readonly<Record<SignerSwitch, string>> = {
  Export: 'exported keys',
  Hash: 'hashes and messages signed as they are',
  ChainlessTypedData: 'signatures over typed data without a chain id',
};

/** Lists the organisations that have used operations which this release turns off by default. */
export async function switchNotice(ask: ReadAllRows): Promise<readonly string[]> {
  const rows = await ask<Usage>(USED);
  if (rows.length === 0) return [];
  return [
    'The signer refuses these operations from now on, unless its environment allows them (docs/operations.md, "What the signer leaves off"):',
    ...rows.map((row) => `  ${row.name} (${row.orgId}): ${uses(row).join(', ')}`),
  ];
}

const uses = (row: Usage): string[] =>
  SIGNER_SWITCH_NAMES.filter((name) => row[name] > 0).map((name) => `${WORDS[name]}: ${row[name]} (${SIGNER_SWITCHES[name]})`);
