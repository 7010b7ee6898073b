import { z } from 'zod';
import { explainSignature } from '../../../application/explain/records';
import { getSignature } from '../../../application/signatures';
import { Explanation } from '../../explanation-schemas';
import { operation } from '../../http/operation';
import { SignatureParams } from './schemas';

/** Beyond the contract: whoever waits wants to know for what. */
export const keysExplainSignature = operation({
  id: 'keysExplainSignature',
  method: 'get',
  path: '/keys/:keyId/signatures/:signatureId/explain',
  tag: 'keys',
  summary: 'Read what a signature request waits for',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Read',
  userAction: false,
  params: SignatureParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: Explanation,
  handle: async ({ params: { keyId, signatureId }, authority: { caller } }, { db }) => {
    const reader = db.read(caller.orgId);
    return explainSignature(reader, await getSignature(reader, caller, { keyId }, signatureId));
  },
});
