import { codecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import type { Entry, PretenceCodec } from '../../../chains/pretence/types';
import type { NetworkName } from '../../../domain/networks';
import { badField } from '../../request-faults';

export const pretenceCodecOf = (network: NetworkName): PretenceCodec => inFamily('pretence', codecOf(network));

type Said = {
  readonly amount: string;
  readonly fee: string;
  readonly from: string;
  readonly sequence: number;
  readonly to: string;
};

const isSaid = (value: unknown): value is Said =>
  typeof value === 'object' && value !== null && ['amount', 'fee', 'from', 'sequence', 'to'].every((name) => name in value);

function saidIn(bytesHex: string): Said {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytesHex.slice(2), 'hex').toString());
    if (isSaid(value)) return value;
  } catch {
    // Bytes that are not JSON are refused like JSON that lacks a member.
  }
  throw badField('entry', 'is not an entry');
}

/** The entry in a caller's bytes. The bytes must equal the codec's bytes for this entry. */
export function pretenceEntry(network: NetworkName, sender: string, bytesHex: string): { entry: Entry; bytesHex: string } {
  const { amount, fee, from, sequence, to } = saidIn(bytesHex);
  if (from !== sender) throw badField('entry', `must be one of ${sender}`);
  const entry = { from, to, amountUnits: BigInt(amount), feeUnits: BigInt(fee), sequence };
  if (pretenceCodecOf(network).build(entry).bytesHex !== bytesHex) throw badField('entry', 'is not an entry of this network');
  return { entry, bytesHex };
}
