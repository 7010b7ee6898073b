import { solanaDecoderOf } from '../../../chains/decoders';
import type { UnsignedBytes } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { Quote } from './quote';

/** In the smallest units. */
export type Costs = {
  readonly native: bigint;
  /** 0 for a raw transaction, because a simulation has shown that the transaction would succeed. */
  readonly token: bigint;
  /** 0 without a sponsor. */
  readonly sponsored: bigint;
};

/**
 * Throws `TransferWouldFail` if the wallet or the sponsor cannot pay its part of the costs. Ignores what other open
 * transactions may still spend.
 */
export function costsOf(row: OutgoingEntity, { bytesHex, maxFeeUnits }: UnsignedBytes, quoted: Quote, fee = 'fee'): Costs {
  const isSponsored = row.sponsorAddress !== null;
  // The recipient can reclaim the rent of a new account, so the wallet pays the rent even with a sponsor.
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
