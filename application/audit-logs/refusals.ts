import { REFUSAL_CODES, type Refusal, type RefusalCode } from '../../domain/audit';
import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { auditEntryStore } from '../../entities/audit-logs/audit-entry.store';
import type { Database } from '../../entities/database';

type Refused = Pick<Refusal, 'method' | 'path' | 'bodySha256' | 'userActionId'>;

/** Bounds the size of an entry; no path of the interface is longer. */
const PATH_CHARS_MAX = 512;

const isRefusal = (code: string): code is RefusalCode => (REFUSAL_CODES as readonly string[]).includes(code);

/**
 * Writes the refusal of a signed request to the audit log, in a separate transaction, because the transaction of the request was
 * rolled back. Does nothing for errors that do not concern the signature or the caller's rights.
 */
export async function enterRefusal(
  db: Pick<Database, 'withOrg'>,
  { orgId, userId, tokenId }: Caller,
  refused: Refused,
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError && isRefusal(error.code))) return;
  const { code } = error;
  await db.withOrg(orgId, (tx) =>
    auditEntryStore.addRefusal(tx, { userId, tokenId, ...refused, path: refused.path.slice(0, PATH_CHARS_MAX), code }),
  );
}
