import { Pool } from 'pg';
import type { NetworkName } from '../../domain/networks';

/**
 * A signed payload that is not final. The relay role sees the ids, the hashes and the block of the payload, but not the bytes.
 */
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

/** A block in which payloads of one organisation became final. */
export type FinalBlock = { readonly orgId: string; readonly height: number; readonly hash: string };
export type FinalPayload = Omit<OpenPayload, 'state'> & { readonly includedSuccess: boolean | null };

export type OpenPayloads = {
  /** The open payloads of a network, of all organisations, oldest first; at most `OPEN_MAX`. */
  readonly of: (network: NetworkName) => Promise<readonly OpenPayload[]>;
  /** Whether any organisation has an open payload on the network. */
  readonly anywhere: (network: NetworkName) => Promise<boolean>;
  /** Whether a payload of any organisation became final in a block from this height on. */
  readonly anyFinal: (network: NetworkName, fromHeight: number) => Promise<boolean>;
  /** The blocks from this height on in which a payload became final, for each organisation. */
  readonly finalBlocks: (network: NetworkName, fromHeight: number) => Promise<readonly FinalBlock[]>;
  /** The payloads of an organisation that became final in this block. */
  readonly finalIn: (network: NetworkName, block: FinalBlock) => Promise<readonly FinalPayload[]>;
  readonly close: () => Promise<void>;
};

const OPEN_MAX = 20_000;
const CONNECTIONS_MAX = 2;

/** Reads the rows of all organisations as the relay role, which may read only routing columns (S15). */
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
