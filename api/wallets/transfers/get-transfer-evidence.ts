import { z } from 'zod';
import { transferEvidence } from '../../../application/approvals/transfer-evidence';
import { readRequest, visibleRequest } from '../../../application/outgoing/record-request';
import { TRANSFER_STATUSES } from '../../../domain/transfers';
import { operation } from '../../http/operation';
import { SignedGround } from '../../signed-action-schemas';
import { TransferParams } from './schemas';

const MUST_SEE = ['Wallets:Transfers:Read'];

/**
 * An addition to the published interface: the response proves, without trust in this service, who requested and who approved the
 * transfer.
 */
export const getTransferEvidence = operation({
  id: 'getTransferEvidence',
  method: 'get',
  path: '/wallets/:walletId/transfers/:transferId/evidence',
  tag: 'wallets',
  summary: 'Read the content that people signed for a transfer',
  description:
    'Returns the content of the transfer, the signed user action of the requester, the content that the approvers signed, and ' +
    'the signed user actions of those who approved. `strongroom-verify evidence` verifies the response against the charter of ' +
    'the organisation. The text of a body is absent if the service no longer keeps it; the signature then still covers the ' +
    'digest of the body.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Auth:Logs:Read',
  furtherPermissionNames: MUST_SEE,
  furtherPermissions: () => MUST_SEE,
  userAction: false,
  params: TransferParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.object({
    organizationId: z.string(),
    walletId: z.string(),
    transferId: z.string(),
    status: z.enum(TRANSFER_STATUSES),
    txHash: z.string().nullable().describe('Null until the transfer is signed'),
    content: z.record(z.string(), z.unknown()).describe('The content of the transfer, exactly as approvers sign it'),
    evidence: z
      .array(SignedGround)
      .describe('The request first, then the approval and the votes for it; empty if no person requested it'),
  }),
  ahead: (reader, { params: { walletId, transferId } }) => readRequest(reader, walletId, transferId),
  handle: ({ params: { walletId, transferId }, authority: { caller }, ahead }, { db, signedBodies }) => {
    const row = visibleRequest(caller, 'Transfer', { walletId, requestId: transferId }, ahead);
    return transferEvidence(db.read(caller.orgId), signedBodies, row);
  },
});
