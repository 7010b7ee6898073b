import { utxoCodecOf } from '../../../chains/codecs';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { PsbtReading, UtxoNetwork, UtxoReader } from '../../../chains/utxo/types';
import { AppError, invariant } from '../../../domain/errors';
import { INPUTS_MAX } from '../../../domain/transfers';
import { keyStore } from '../../../entities/keys/key.store';
import { coinStore, keyOfCoin } from '../../../entities/outgoing/coin.store';
import { badField } from '../../request-faults';
import type { Services } from '../../services';
import { assetOf } from '../../wallets/assets';
import type { UsableWallet } from '../../wallets/wallets';
import type { ReadTransaction } from '../family-forms';

export type UtxoTransactionRequest = {
  readonly kind: 'Psbt';
  readonly psbt: string;
  readonly externalId?: string | undefined;
};

/** Below this value a lock time is a block height; from this value on, seconds since 1970 (BIP65). */
const FIRST_LOCK_SECOND = 500_000_000;

/** Throws `InvalidRequest` with the path of the fault, and `Conflict` for a coin that another open request has claimed. */
export const readUtxoTransaction: ReadTransaction<UtxoTransactionRequest> = async (services, wallet, { psbt }) => {
  const { network: name, address } = wallet;
  const network = inFamily('utxo', networkOf(name));
  const codec = utxoCodecOf(name);
  const key = await keyStore.ofWallet(services.db.read(wallet.orgId), wallet.id);
  invariant(key?.publicKey, 'the key of a wallet has its public key');
  const reading = codec.readPsbt(psbt, key.publicKey, 'body.psbt');
  const { inputs, feeUnits, recipients, amountUnits } = reading;
  if (inputs.length > INPUTS_MAX) throw badField('psbt', `spends more than ${INPUTS_MAX} coins`);
  const scriptHex = codec.scriptOf(address);
  const own = inputs.filter((input) => input.scriptHex === scriptHex);
  if (own.length !== reading.coins.length) throw badField('psbt', `must spend only the wallet's coins at ${address}`);
  if (!reading.othersSigned)
    throw badField('psbt', 'has a foreign input whose signature is missing, wrong, or not that of a single key');
  if (feeUnits > network.feeCeilingUnits)
    throw badField('psbt', `costs ${feeUnits}, more than the highest fee of ${network.feeCeilingUnits} on ${name}`);
  const reader = inFamily('utxo', services.readers(name));
  await assertInTime(reader, reading);
  await assertUnclaimed(services, wallet, reading);
  await assertUnspent(services, wallet, { reader, network, reading, scriptHex });
  const info = await assetOf(services, name, { kind: 'Native' });
  return {
    terms: { family: 'utxo', call: { psbtHex: reading.psbtHex } },
    // If the recipients cannot be identified, only the amount is known.
    assetKind: recipients.length === 0 ? 'Call' : 'Native',
    contract: null,
    toAddress: recipients[0] ?? address,
    amountUnits: amountUnits.toString(),
    priority: 'Standard',
    assetSymbol: network.nativeAsset.symbol,
    assetDecimals: info.decimals,
    assetVerified: info.verified,
  };
};

/** Nodes do not accept a transaction before its lock time, and its coins would stay claimed until then. */
async function assertInTime(reader: UtxoReader, { lockTime, hasRelativeLock }: PsbtReading): Promise<void> {
  if (hasRelativeLock) throw badField('psbt', 'waits for a number of blocks after its coins (BIP68), which is not supported');
  if (lockTime === 0) return;
  if (lockTime >= FIRST_LOCK_SECOND) throw badField('psbt', 'waits for a time, which is not supported');
  const { blockNumber } = await reader.feeEstimates();
  if (lockTime > blockNumber) throw badField('psbt', `waits for block ${lockTime}, and the last one is ${blockNumber}`);
}

async function assertUnclaimed(services: Services, { orgId, network }: UsableWallet, { coins }: PsbtReading): Promise<void> {
  const claimed = await coinStore.claimed(services.db.read(orgId), network, coins.map(keyOfCoin));
  const [taken] = claimed;
  if (taken === undefined) return;
  throw new AppError('Conflict', `The coin ${taken} is claimed by another request of this wallet`, { coin: taken });
}

type Looking = {
  readonly reader: UtxoReader;
  readonly network: UtxoNetwork;
  readonly reading: PsbtReading;
  readonly scriptHex: string;
};

/**
 * Checks every coin with the node, even coins that belong to others. If one coin is missing, no node accepts the transaction,
 * and the wallet's coins would stay claimed.
 */
async function assertUnspent(
  services: Services,
  { orgId, network: name, address }: UsableWallet,
  { reader, network, reading: { inputs }, scriptHex }: Looking,
): Promise<void> {
  const found = await reader.unspent(inputs);
  const waiting = inputs.filter((_, index) => found[index]?.confirmations === 0).map(({ txid }) => txid);
  const lane = { network: name, address };
  const ours =
    waiting.length === 0
      ? new Set<string>()
      : await coinStore.ownTransactions(services.db.read(orgId), lane, [...new Set(waiting)]);
  for (const [index, input] of inputs.entries()) {
    const coin = found[index];
    const words = `input ${index}, ${keyOfCoin(input)},`;
    if (!coin) throw badField('psbt', `${words} is spent, or ${name} does not know it`);
    if (coin.amountUnits !== input.amountUnits || coin.scriptHex !== input.scriptHex)
      throw badField('psbt', `${words} differs from the coin on ${name}`);
    if (coin.hasToken) throw badField('psbt', `${words} carries a token, which would be destroyed`);
    if (coin.isCoinbase && coin.confirmations < network.coinbaseMaturity)
      throw badField('psbt', `${words} is a block reward and cannot be spent yet`);
    // The sender of an unconfirmed coin may still take the coin back, unless the coin is this wallet's own change.
    const isSafe = coin.confirmations > 0 || (input.scriptHex === scriptHex && ours.has(input.txid));
    if (!isSafe) throw badField('psbt', `${words} is in no block yet`);
  }
}
