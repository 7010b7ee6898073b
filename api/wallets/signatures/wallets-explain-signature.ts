import { operation } from '../../http/operation';
import { walletSignatures } from './reads';

/** An addition to the published interface: callers need the operation to learn why a request waits. */
export const walletsExplainSignature = operation({
  id: 'walletsExplainSignature',
  method: 'get',
  path: '/wallets/:walletId/signatures/:signatureId/explain',
  summary: 'Explain why a signature request of a wallet waits',
  description:
    'Returns the stage, its start and the decisions that would end the wait, as data and as English sentences. The ' +
    'operation only reads stored records, and a request that was made through another wallet or through the path of the ' +
    'key returns 404 `NotFound`.',
  ...walletSignatures.explain,
});
