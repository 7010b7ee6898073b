import { evmCodecOf } from '../../../chains/codecs';
import type { EvmReader } from '../../../chains/evm/types';
import { AppError } from '../../../domain/errors';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { formOfPayload, nonceOfPayload } from './keyed-nonces';
import { buildUnsigned } from './preparation';
import { feesOver, feeTermsOf } from './replacement';
import { buildOver, sponsoredOver } from './sponsored-replacement';

/** A tip below the market rate is raised only after this many blocks. */
const LOW_TIP_BLOCKS = 20;
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/**
 * `Enough`: a block may include the transaction at this price. `Underpriced`: the price is too low, and the approved ceiling
 * allows the fee of a replacement. `FeesAboveCeiling`: the price is too low. Either the ceiling does not allow that fee, or the
 * replacement would fail.
 */
export type PriceStatus = 'Enough' | 'Underpriced' | 'FeesAboveCeiling';

export async function statusOfPrice(
  reader: EvmReader,
  row: OutgoingEntity,
  payload: PayloadEntity,
  waitedBlocks: number,
): Promise<PriceStatus> {
  const form = formOfPayload(payload);
  const estimates = await reader.feeEstimates(form.feeCurrency);
  if (estimates.kind !== 'Eip1559') return 'Enough';
  const { baseFeePerGas: base, tiers } = estimates;
  const isSponsored = row.feeSponsorId !== null;
  const { maxFeePerGas, maxPriorityFeePerGas } = isSponsored
    ? evmCodecOf(row.network).sponsoredFeesIn(payload.unsignedHex)
    : feeTermsOf(payload);
  const offered = min(maxFeePerGas, base + maxPriorityFeePerGas);
  // Without a base fee the whole price is a tip, and the tip of the lowest tier is the least that nodes accept.
  const needed = base === 0n || waitedBlocks >= LOW_TIP_BLOCKS ? base + tiers.Slow.maxPriorityFeePerGas : base;
  if (offered >= needed) return 'Enough';
  try {
    const { nonce } = nonceOfPayload(payload);
    const { maxFeeUnits } = isSponsored
      ? buildOver(row, await sponsoredOver(reader, row, payload), nonce).unsigned
      : buildUnsigned(row, nonce, await feesOver(reader, row, payload), form);
    return maxFeeUnits > BigInt(row.feeCeilingUnits) ? 'FeesAboveCeiling' : 'Underpriced';
  } catch (error) {
    // A transaction is not sped up if it would now fail, or if the sender can no longer pay the higher fee.
    if (error instanceof AppError && error.code === 'TransferWouldFail') return 'FeesAboveCeiling';
    throw error;
  }
}
