import { shownTransfer } from '../../../application/travel-rules/payloads';
import { outgoingOperations } from '../outgoing-operations';
import { TransferParams, TransferRequest } from './schemas';

export const transferForm = outgoingOperations({
  form: 'Transfer',
  params: TransferParams,
  addressOf: ({ walletId, transferId }) => ({ walletId, requestId: transferId }),
  response: TransferRequest,
  view: async ({ db, travelRuleSecrets }, orgId, row) => shownTransfer({ travelRuleSecrets, orgId, reader: db.read(orgId) }, row),
});
