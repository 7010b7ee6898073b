import { solanaDecoderOf } from '../../../chains/decoders';
import type { UnsignedBytes } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { Quote } from './quote';

/** The most that a transaction takes of whom, in the smallest units. */
export type Costs = {
  readonly native: bigint;
  /** What a raw transaction takes of tokens nobody counts: its trial has told that it can be carried out. */
  readonly token: bigint;
  /** Of whoever pays for the wallet; 0 where nobody does. */
  readonly sponsored: bigint;
};

/** Throws `TransferWouldFail` for what there is not enough of, whatever else is open. */
export function costsOf(row: OutgoingEntity, { bytesHex, maxFeeUnits }: UnsignedBytes, quoted: Quote, fee = 'fee'): Costs {
  const isSponsored = row.sponsorAddress !== null;
  // A sponsor pays the network; the rent of an account that is made stays with the wallet, whose recipient gets hold of it.
  const own = isSponsored ? solanaDecoderOf(row.network).decode(bytesHex).maxRentUnits : maxFeeUnits;
  const sponsored = maxFeeUnits - own;
  const native = own + (row.contract === null ? BigInt(row.amountUnits) : 0n);
  const token = row.contract === null || row.terms !== null ? 0n : BigInt(row.amountUnits);
  if (isSponsored && sponsored > quoted.payerUnits)
    throw new AppError('TransferWouldFail', `The fee sponsor cannot pay the ${fee}`);
  if (native > quoted.nativeUnits || token > quoted.tokenUnits)
    throw new AppError('TransferWouldFail', `Insufficient funds for the amount${isSponsored ? '' : ` and its ${fee}`}`);
  return { native, token, sponsored };
}
