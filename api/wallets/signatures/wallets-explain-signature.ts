import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

/** An addition to the published interface: callers need the operation to learn why a request waits. */
export const walletsExplainSignature = operation({
  id: 'walletsExplainSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId/explain',
  summary: 'Explain why a signature request of a wallet waits',
  description:
    'Returns the stage of the request, the start of the stage and the decisions that would end the wait, as data and as ' +
    'English sentences. The operation only reads stored records; it returns 404 `NotFound` if the request was made through ' +
    'another wallet or through the path of the key.',
  ...walletSignatures.explain,
});
