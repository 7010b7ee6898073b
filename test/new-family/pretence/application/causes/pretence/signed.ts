import type { Slot } from '../../../domain/slots';
import { pretenceEntry } from '../../outgoing/pretence/entries';
import type { ReadSigned } from '../families';
import { proven } from '../refused';

export const pretenceSigned: Slot<ReadSigned> = (row, request) => {
  proven(request.kind === 'PretenceEntry', 'KindDiffers');
  const { entry, bytesHex } = pretenceEntry(row.network, row.fromAddress, request.entry);
  return {
    terms: { family: 'pretence', call: { bytesHex } },
    effect: { asset: { kind: 'Native' }, recipient: entry.to, amountUnits: entry.amountUnits },
  };
};
