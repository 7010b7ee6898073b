import { z } from 'zod';
import { explainSignature } from '../../../application/explain/records';
import { getSignature } from '../../../application/signatures';
import { Explanation } from '../../explanation-schemas';
import { operation } from '../../http/operation';
import { SignatureParams } from './schemas';

/** Beyond the contract: whoever waits wants to know for what. */
export const walletsExplainSignature = operation({
  id: 'walletsExplainSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId/explain',
  tag: 'wallets',
  summary: 'Read what a signature request by a wallet waits for',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Read',
  userAction: false,
  params: SignatureParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Explanation,
  handle: async ({ params: { walletId, signatureId }, authority: { caller } }, { db }) => {
    const reader = db.read(caller.orgId);
    return explainSignature(reader, await getSignature(reader, caller, { walletId }, signatureId));
  },
});
