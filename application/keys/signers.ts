import type { SignerFacts } from '../../domain/key-stores';
import { newId } from '../../platform/ids';
import { LIST_SIGNERS } from '../../workflows/list-signers.messages';
import type { Services } from '../services';

const ASK_LIMIT_MS = 10_000;

/** Whom a share of a key is encrypted to. Throws `NotReady` when the signer cannot be asked in time. */
export function signerFactsOf({ dispatcher }: Pick<Services, 'dispatcher'>, orgId: string): Promise<SignerFacts> {
  const routing = { summary: 'Ask the signer who it is' };
  return dispatcher.execute(orgId, { workflow: LIST_SIGNERS, id: newId('keyRequest'), routing, limitMs: ASK_LIMIT_MS });
}
