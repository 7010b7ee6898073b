import { absent } from '../../../domain/slots';
import { pretenceCodecOf } from '../../outgoing/pretence/entries';
import type { SigningFamily } from '../families';

export const pretenceSigning: SigningFamily = {
  blockchainKind: null,
  namedNetwork: null,
  prepareTransaction: absent('An entry is sent by the service that has it signed'),
  message: {
    isTransaction: (bytesHex) => pretenceCodecOf('PretenceTestnet').isTransaction(bytesHex),
    fault: 'is an entry of the ledger: send it as a transaction',
  },
};
