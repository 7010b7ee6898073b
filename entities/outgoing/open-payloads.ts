import { Pool } from 'pg';
import type { NetworkName } from '../../domain/networks';

/** A signed payload that is not final. It does not include the bytes, which the relay role cannot read. */
export type OpenPayload = {
  readonly orgId: string;
  readonly id: string;
  readonly transferId: string;
  readonly txHash: string;
  readonly operationHash: string | null;
  readonly state: 'Signed' | 'Broadcasted' | 'Included';
  readonly includedHeight: number | null;
  readonly includedHash: string | null;
};

export type FinalBlock = { readonly orgId: string; readonly height: number; readonly hash: string };
export type FinalPayload = Omit<OpenPayload, 'state'> & { readonly includedSuccess: boolean | null };

export type OpenPayloads = {
  /** The payloads of all organisations, oldest first; at most `OPEN_MAX`. */
  readonly of: (network: NetworkName) => Promise<readonly OpenPayload[]>;
  readonly anywhere: (network: NetworkName) => Promise<boolean>;
  readonly anyFinal: (network: NetworkName, fromHeight: number) => Promise<boolean>;
  readonly finalBlocks: (network: NetworkName, fromHeight: number) => Promise<readonly FinalBlock[]>;
  readonly finalIn: (network: NetworkName, block: FinalBlock) => Promise<readonly FinalPayload[]>;
  readonly close: () => Promise<void>;
};

const OPEN_MAX = 20_000;
const CONNECTIONS_MAX = 2;

/** The relay role sees all organisations, but only routing columns (S15). */
export function openPayloadsOver(relayUrl: string): OpenPayloads {
  const relay = new Pool({ connectionString: relayUrl, max: CONNECTIONS_MAX, application_name: 'strongroom-follower' });
  // The pool replaces a broken connection at its next use. Without a listener the error event would end the process.
  relay.on('error', () => undefined);
  return {
    of: async (network) => {
      const { rows } = await relay.query<OpenPayload>(
        `SELECT org_id AS "orgId", id, transfer_id AS "transferId", tx_hash AS "txHash",
                operation_hash AS "operationHash", state,
                included_height AS "includedHeight", included_hash AS "includedHash"
         FROM payloads WHERE network = $1 AND state IN ('Signed', 'Broadcasted', 'Included') AND tx_hash IS NOT NULL
         ORDER BY id LIMIT ${OPEN_MAX}`,
        [network],
      );
      return rows;
    },
    anywhere: async (network) => {
      const { rowCount } = await relay.query(
        `SELECT 1 FROM payloads WHERE network = $1 AND state IN ('Signed', 'Broadcasted', 'Included') LIMIT 1`,
        [network],
      );
      return (rowCount ?? 0) > 0;
    },
    anyFinal: async (network, fromHeight) => {
      const { rowCount } = await relay.query(
        `SELECT 1 FROM payloads WHERE network = $1 AND state = 'Final' AND included_height >= $2 LIMIT 1`,
        [network, fromHeight],
      );
      return (rowCount ?? 0) > 0;
    },
    finalBlocks: async (network, fromHeight) => {
      const { rows } = await relay.query<FinalBlock>(
        `SELECT DISTINCT org_id AS "orgId", included_height AS height, included_hash AS hash
         FROM payloads WHERE network = $1 AND state = 'Final' AND included_height >= $2`,
        [network, fromHeight],
      );
      return rows;
    },
    finalIn: async (network, { orgId, height, hash }) => {
      const { rows } = await relay.query<FinalPayload>(
        `SELECT org_id AS "orgId", id, transfer_id AS "transferId", tx_hash AS "txHash",
                operation_hash AS "operationHash", included_height AS "includedHeight",
                included_hash AS "includedHash", included_success AS "includedSuccess"
         FROM payloads WHERE network = $1 AND state = 'Final' AND included_height = $2 AND included_hash = $3 AND org_id = $4
           AND tx_hash IS NOT NULL ORDER BY id`,
        [network, height, hash, orgId],
      );
      return rows;
    },
    close: () => relay.end(),
  };
}
