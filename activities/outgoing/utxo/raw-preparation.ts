import { createHash } from 'node:crypto';
import { utxoDecoderOf } from '../../../chains/decoders';
import { networkOf } from '../../../chains/networks';
import type { UtxoReader } from '../../../chains/utxo/types';
import { AppError } from '../../../domain/errors';
import type { UtxoRawTerms } from '../../../domain/transactions';
import type { Tx } from '../../../entities/database';
import { coinClaim, coinStore, keyOfCoin } from '../../../entities/outgoing/coin.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { BuildOutcome, BuildUnderLock } from '../family-forms';

const wouldFail = (message: string) => new AppError('TransferWouldFail', message);

/**
 * Throws unless the bytes have exactly the recorded effect, which was approved (S8). The decoder shares no code with the builder
 * of the bytes.
 */
export function assertAsRecorded(row: OutgoingEntity, { call: { psbtHex } }: UtxoRawTerms) {
  const decoder = utxoDecoderOf(row.network);
  const decoded = decoder.decode(psbtHex);
  if (decoded.opaque.length > 0) throw new AppError('EnvelopeMismatch', 'The bytes of the transaction cannot be read back');
  const effect = decoder.effectOf(psbtHex, { address: row.fromAddress });
  const checks: Readonly<Record<string, boolean>> = {
    recipient: (effect.recipients[0] ?? row.fromAddress) === row.toAddress,
    asset: row.assetKind === (effect.recipients.length === 0 ? 'Call' : 'Native') && row.contract === null,
    amount: effect.amountUnits === BigInt(row.amountUnits),
    unsigned: !effect.isSigned,
    proved: decoded.inputs.every(({ address, isProved }) => address !== row.fromAddress || isProved),
  };
  const wrong = Object.keys(checks).filter((name) => !checks[name]);
  if (wrong.length === 0) return { ...effect, feeUnits: decoded.feeUnits, inputs: decoded.inputs };
  throw new AppError('EnvelopeMismatch', `The transaction differs from its record: ${wrong.join(', ')}`);
}

/** Every byte of a PSBT was approved, so no other coins can be chosen. A PSBT with a coin that is not free is never sent. */
export async function quoteRaw(reader: UtxoReader, row: OutgoingEntity, terms: UtxoRawTerms): Promise<BuildUnderLock> {
  const { inputs } = assertAsRecorded(row, terms);
  const found = await reader.unspent(inputs);
  const gone = inputs.find(
    ({ amountUnits, scriptHex }, index) => found[index]?.amountUnits !== amountUnits || found[index]?.scriptHex !== scriptHex,
  );
  if (gone) throw wouldFail(`The coin ${keyOfCoin(gone)} was spent before anything was signed`);
  return (tx, locked) => place(tx, locked, terms);
}

async function place(tx: Tx, row: OutgoingEntity, terms: UtxoRawTerms): Promise<BuildOutcome> {
  const { psbtHex } = terms.call;
  const { coins, feeUnits } = assertAsRecorded(row, terms);
  const [taken] = await coinStore.claimed(tx, row.network, coins.map(keyOfCoin));
  if (taken !== undefined) throw wouldFail(`The coin ${taken} belongs to another transaction of this wallet`);
  const lane = await coinStore.standing(tx, { network: row.network, address: row.fromAddress }, row);
  if (lane.ahead >= networkOf(row.network).inFlightMax - lane.open) return { kind: 'Waits', detail: 'Turn', queued: true };
  if (feeUnits > BigInt(row.feeCeilingUnits)) throw wouldFail('The fee is above the ceiling of the network');
  const bytes = Buffer.from(psbtHex.slice(2), 'hex');
  const digestHex = `0x${createHash('sha256').update(bytes).digest('hex')}`;
  return {
    kind: 'Built',
    unsigned: { bytesHex: psbtHex, digestHex, maxFeeUnits: feeUnits },
    nonce: null,
    claims: coins.map((coin) => coinClaim(row.fromAddress, coin)),
    context: null,
  };
}
