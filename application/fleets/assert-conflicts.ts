import { factsOf } from '../../chains/networks';
import type { Network } from '../../chains/types';
import { CAPABILITIES } from '../../domain/capabilities';
import type { RequestBody } from '../outgoing/record-request';
import { badField } from '../request-faults';

type Asked = {
  readonly kind?: string;
  readonly feeSponsorId?: string | undefined;
  readonly useDurableNonce?: boolean | undefined;
};

const EXPIRES = 'a blockhash expires before a device can sign';
const ELSEWHERE = 'Create the accounts from a wallet of the software store, with this wallet as nonceAuthority';
const OFFLINE = 'for a wallet whose key lies in an offline store';

/**
 * A device may sign weeks later, and its archive may be kept. Everything that was ever carried to a device for one payment must
 * therefore use up one nonce or coin, so that at most one transaction goes through. Throws `InvalidRequest` for a request that
 * cannot promise that. The signer decides again before it vouches.
 */
export function assertConflicts(network: Network, body: RequestBody): void {
  const { kind, feeSponsorId, useDurableNonce } = body as Asked;
  if (feeSponsorId !== undefined)
    throw badField('feeSponsorId', `must be absent ${OFFLINE}: the nonce of the sponsor would decide`);
  if (!factsOf(network).hasOneSequence)
    throw badField('kind', `is not possible on ${network.name} ${OFFLINE}: its transactions do not share one sequence of nonces`);
  if (!CAPABILITIES[network.family].options.includes('useDurableNonce')) return;
  if (kind === 'CreateSolanaNonceAccounts') throw badField('kind', `is not possible ${OFFLINE}: ${EXPIRES}. ${ELSEWHERE}`);
  if (useDurableNonce === false) throw badField('useDurableNonce', `must not be false ${OFFLINE}: ${EXPIRES}`);
}
