import { shownTransfer } from '../../../application/travel-rules/payloads';
import { outgoingOperations } from '../outgoing-operations';
import { TransferParams, TransferRequest } from './schemas';

/** The operations on one transfer. The file of each operation adds the id, path and permission of the operation. */
export const transferForm = outgoingOperations({
  form: 'Transfer',
  params: TransferParams,
  addressOf: ({ walletId, transferId }) => ({ walletId, requestId: transferId }),
  response: TransferRequest,
  view: async ({ db, travelRuleSecrets }, orgId, row) => shownTransfer({ travelRuleSecrets, orgId, reader: db.read(orgId) }, row),
});
