import { inSlot } from '../../domain/slots';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { sponsorFor } from '../fee-sponsors/sponsoring';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { familyOf } from './families';
import type { TransactionRequest } from './family-forms';
import { requestOutgoing } from './request-outgoing';

/** Throws the errors of `requestOutgoing`, of the family's `readTransaction` and of `sponsorFor`. */
export function requestTransaction(
  services: Services,
  authority: Authority,
  walletId: string,
  request: TransactionRequest,
): Promise<OutgoingEntity> {
  return requestOutgoing(services, authority, walletId, {
    form: 'Transaction',
    body: request,
    part: 'Transfers',
    draft: async (wallet) => {
      const draft = await inSlot(familyOf(wallet.network).readTransaction)(services, wallet, request);
      if (!('feeSponsorId' in request)) return draft;
      return { ...draft, ...(await sponsorFor(services, authority.caller, wallet, request.feeSponsorId)) };
    },
  });
}
