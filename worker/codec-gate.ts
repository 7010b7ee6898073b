import { authenticate } from '../application/access-tokens/tokens';
import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import { allows } from '../domain/permissions';
import type { Database } from '../entities/database';
import { PayloadReadingEntity } from '../entities/payload-readings/payload-reading.entity';
import { newId } from '../platform/ids';
import type { TokenVerifier } from '../platform/token-keys';

export type CodecOperation = PayloadReadingEntity['operation'];

export type CodecGate = {
  /** Undefined unless the token belongs to an operator who may read payloads. */
  readonly operatorOf: (token: string) => Promise<Caller | undefined>;
  /** Must resolve before any converted payload is returned. */
  readonly record: (operator: Caller, operation: CodecOperation, payloads: number) => Promise<void>;
};

type Options = {
  readonly db: Database;
  readonly tokens: TokenVerifier;
  /**
   * The operators' own organisation. Only its members may read payloads, because a namespace contains the payloads of all
   * organisations.
   */
  readonly orgId: string;
  readonly namespace: string;
};

const PERMISSION = 'Temporal:Payloads:Read';
const OPERATION = 'readTemporalPayloads';

export function createCodecGate({ db, tokens, orgId, namespace }: Options): CodecGate {
  return {
    operatorOf: async (token) => {
      try {
        const caller = await authenticate(db, tokens, token);
        const isOperator = caller.orgId === orgId && caller.kind === 'CustomerEmployee';
        return isOperator && allows(caller.permissions, PERMISSION, OPERATION) ? caller : undefined;
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return undefined;
        throw error;
      }
    },
    record: ({ userId, tokenId }, operation, payloads) =>
      db.withOrg(orgId, (tx) =>
        tx.insert(PayloadReadingEntity, { orgId, id: newId('payloadReading'), userId, tokenId, namespace, operation, payloads }),
      ),
  };
}
