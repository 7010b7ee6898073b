import { CAPABILITIES, TRANSFER_OPTIONS } from '../../domain/capabilities';
import type { Family } from '../../domain/networks';
import { inSlot } from '../../domain/slots';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { sponsorFor } from '../fee-sponsors/sponsoring';
import { badField } from '../request-faults';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { familyOf } from './families';
import type { TransferRequest } from './family-forms';
import { requestOutgoing } from './request-outgoing';

/** Throws the errors of `requestOutgoing`, of the family's `readTransfer` and of `sponsorFor`. */
export function requestTransfer(
  services: Services,
  authority: Authority,
  walletId: string,
  request: TransferRequest,
): Promise<OutgoingEntity> {
  const { feeSponsorId } = request;
  return requestOutgoing(services, authority, walletId, {
    form: 'Transfer',
    body: request,
    part: request.kind === 'Native' ? 'Transfers' : 'Tokens',
    assertCapable: (family) => assertCapable(family, request),
    draft: async (wallet) => {
      const sponsored = feeSponsorId === undefined ? {} : await sponsorFor(services, authority.caller, wallet, feeSponsorId);
      return { ...(await inSlot(familyOf(wallet.network).readTransfer)(services, wallet, request)), ...sponsored };
    },
  });
}

/** Refuses members that the network would ignore, because the caller would rely on these members. */
function assertCapable(family: Family, request: TransferRequest): void {
  const { transferKinds, options } = CAPABILITIES[family];
  if (!transferKinds.includes(request.kind)) throw badField('kind', `${request.kind} is not for this network`);
  for (const field of TRANSFER_OPTIONS) {
    if (request[field] !== undefined && !options.includes(field)) throw badField(field, 'is not for this network');
  }
}
