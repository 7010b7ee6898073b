import { evmCodecOf } from '../../../chains/codecs';
import type { EvmReader } from '../../../chains/evm/types';
import { AppError } from '../../../domain/errors';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { formOfPayload, nonceOfPayload } from './keyed-nonces';
import { buildUnsigned } from './preparation';
import { feesOver, feeTermsOf } from './replacement';
import { buildOver, sponsoredOver } from './sponsored-replacement';

/** A tip below what others give is no reason to pay more before it has kept a transaction waiting for so many blocks. */
const LOW_TIP_BLOCKS = 20;
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/** `Enough`: a block may take it at this price. The others: the next block does not, and paying what it asks is within what was approved, or is not. */
export type PriceStatus = 'Enough' | 'Underpriced' | 'FeesAboveCeiling';

/** How the price of bytes that were sent stands to the market after they have waited for so many blocks. */
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
  // Without a base fee the whole price is a tip, and what nodes ask for at least is the lowest.
  const needed = base === 0n || waitedBlocks >= LOW_TIP_BLOCKS ? base + tiers.Slow.maxPriorityFeePerGas : base;
  if (offered >= needed) return 'Enough';
  try {
    const { nonce } = nonceOfPayload(payload);
    const { maxFeeUnits } = isSponsored
      ? buildOver(row, await sponsoredOver(reader, row, payload), nonce).unsigned
      : buildUnsigned(row, nonce, await feesOver(reader, row, payload), form);
    return maxFeeUnits > BigInt(row.feeCeilingUnits) ? 'FeesAboveCeiling' : 'Underpriced';
  } catch (error) {
    // What the sender cannot pay, or what would fail by now, is not sent for a higher fee.
    if (error instanceof AppError && error.code === 'TransferWouldFail') return 'FeesAboveCeiling';
    throw error;
  }
}
