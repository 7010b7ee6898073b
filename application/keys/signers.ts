import type { SignerFacts } from '../../domain/key-stores';
import { newId } from '../../platform/ids';
import { LIST_SIGNERS } from '../../workflows/list-signers.messages';
import type { Services } from '../services';

const ASK_LIMIT_MS = 10_000;

/** Throws `NotReady` if the signer does not reply in time. */
export function signerFactsOf({ dispatcher }: Pick<Services, 'dispatcher'>, orgId: string): Promise<SignerFacts> {
  const routing = { summary: 'Ask the signer for its identity' };
  return dispatcher.execute(orgId, { workflow: LIST_SIGNERS, id: newId('keyRequest'), routing, limitMs: ASK_LIMIT_MS });
}
