import { absent } from '../../../domain/slots';
import { pretenceCodecOf } from '../../outgoing/pretence/entries';
import type { SigningFamily } from '../families';

export const pretenceSigning: SigningFamily = {
  blockchainKind: null,
  namedNetwork: null,
  prepareTransaction: absent('The service broadcasts every entry that it signs'),
  message: {
    isTransaction: (bytesHex) => pretenceCodecOf('PretenceTestnet').isTransaction(bytesHex),
    fault: 'is an entry of the ledger: send it as a transaction',
  },
};
