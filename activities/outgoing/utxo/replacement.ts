import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { createReaders } from '../../../chains/readers';
import type { Coin, SpendStatus, UtxoFees } from '../../../chains/utxo/types';
import { AppError, invariant } from '../../../domain/errors';
import type { NetworkName } from '../../../domain/networks';
import type { Database, Reader, Tx } from '../../../entities/database';
import { coinClaim, coinStore, keyOfCoin } from '../../../entities/outgoing/coin.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import type { BuildOutcome, FamilyReplacement, SignedForCaller } from '../family-forms';
import { freeOf, intentOf, isFault, likelyOf, type Quote } from './choice';
import { assertInsideEnvelope } from './envelope';

/** BIP125: a replacement evicts at most this many transactions. */
const DEPENDENTS_MAX = 100;

const wouldFail = (message: string) => new AppError('TransferWouldFail', message);

type ReplacementQuote = Quote & {
  /**
   * Coins that the replacement and the rival (the transaction to replace) both claim and spend, so only one of the two can
   * confirm (S7).
   */
  readonly anchor: readonly Coin[];
  readonly rivalHash: string | null;
};

/**
 * The service has sent the rival, or has only signed the rival for a caller, or a device may sign the rival at any time. If the
 * rival was signed for a caller, other owners of coins may also have signed it without the knowledge of the service.
 */
type Rival = {
  readonly coins: readonly Coin[];
  readonly txHash: string | null;
  readonly feeUnits: bigint;
  /** The size as nodes measure it. Too small if the rival's signatures are unknown. */
  readonly vbytes: bigint;
};

/**
 * The Bitcoin family: spends the rival's coins (`anchor`) again, at the market rate and above the rival's rate. Under BIP125
 * the fee must cover the fees of all evicted transactions and the price of the replacement's own size. If the change is too
 * small for this fee, confirmed and unclaimed coins are added.
 */
export function createUtxoReplacement(db: Database, readers: ReturnType<typeof createReaders>): FamilyReplacement {
  const quote = async (row: OutgoingEntity, rival: Rival): Promise<ReplacementQuote> => {
    const { network } = row;
    const reader = inFamily('utxo', readers(network));
    const rows = db.read(row.orgId);
    const codec = utxoCodecOf(network);
    const [intent, shared, coins, rates, fees] = await Promise.all([
      intentOf(rows, row),
      coinStore.shared(rows, row),
      reader.coins(row.fromAddress),
      reader.feeRates(),
      replacedFees(reader, network, rival),
    ]);
    const milliUnitsPerVbyte = greater(rates.Fast.milliUnitsPerVbyte, fees.milliUnitsPerVbyte);
    const asked = { milliUnitsPerVbyte, replacedFeeUnits: fees.replacedFeeUnits };
    const anchor = rival.coins.filter((coin) => shared.has(keyOfCoin(coin)));
    const free = (await freeOf(rows, row, coins)).filter(({ confirmations }) => confirmations > 0);
    const likely = likelyOf(codec.select(intent, free, asked, { anchor }), free);
    const previous = await reader.previousTransactions([...anchor, ...likely].map(({ txid }) => txid));
    return { intent, fees: asked, coins: free, previous, anchor, rivalHash: rival.txHash };
  };
  return {
    quote: async (asked, rival) => {
      const quoted = await quote(asked, await builtRival(db.read(asked.orgId), asked, rival));
      return (tx, row) => place(tx, row, quoted);
    },
    quoteAgainst: async (asked, signed) => {
      const quoted = await quote(asked, await signedRival(db.read(asked.orgId), asked, signed));
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

const greater = (one: bigint, other: bigint): bigint => (one < other ? other : one);

/**
 * Adds up the fees of the rival and of all transactions that depend on the rival. Throws if nodes would refuse every
 * replacement.
 */
async function replacedFees(
  reader: ReturnType<ReturnType<typeof createReaders>>,
  network: NetworkName,
  { txHash, feeUnits: paid, vbytes }: Rival,
): Promise<UtxoFees & { readonly replacedFeeUnits: bigint }> {
  const { feeRateFloor, replaceable, keepsFirst } = inFamily('utxo', networkOf(network));
  // A transaction that waits for the signatures of others has no id yet. If other people sent the rival after all, the network
  // refuses our bytes.
  const standing: SpendStatus = txHash === null ? { kind: 'Nowhere' } : await inFamily('utxo', reader).standing(txHash);
  if (standing.kind === 'Waiting' && (!replaceable || keepsFirst))
    throw wouldFail(`The transaction to replace was sent, and nodes of ${network} keep the first transaction they saw`);
  if (standing.kind === 'Included' || standing.kind === 'Beaten')
    throw wouldFail('The coins of the transaction to replace are already spent in a block');
  if (standing.kind === 'Waiting' && standing.dependents > DEPENDENTS_MAX)
    throw wouldFail(
      `More than ${DEPENDENTS_MAX} transactions depend on the transaction to replace, and nodes do not evict so many`,
    );
  const rate = (paid * 1_000n + vbytes - 1n) / vbytes;
  return {
    milliUnitsPerVbyte: rate + feeRateFloor,
    replacedFeeUnits: standing.kind === 'Waiting' ? greater(standing.feeUnits, paid) : paid,
  };
}

/** The rival could spend this coin, so the replacement can spend the coin too. */
const coinOf = ({ txid, vout, amountUnits, scriptHex }: Pick<Coin, 'txid' | 'vout' | 'amountUnits' | 'scriptHex'>): Coin => ({
  ...{ txid, vout, amountUnits, scriptHex },
  ...{ confirmations: 0, isCoinbase: false, isOwnChange: true },
});

async function builtRival(reader: Reader, row: OutgoingEntity, payload: PayloadEntity): Promise<Rival> {
  const { network, unsignedHex, rawHex, txHash, maxFeeUnits } = payload;
  const codec = utxoCodecOf(network);
  const vbytes = async () => {
    if (rawHex !== null) return codec.vbytesOf(rawHex);
    const { publicKeyHex } = await intentOf(reader, row);
    return codec.readPsbt(unsignedHex, publicKeyHex, 'payload').vbytesMin;
  };
  return {
    coins: utxoDecoderOf(network).decode(unsignedHex).inputs.map(coinOf),
    txHash,
    feeUnits: BigInt(maxFeeUnits),
    vbytes: await vbytes(),
  };
}

/**
 * Leaves out the coins of others and the coins at another address of the key. One coin that is spent again is enough to exclude
 * the rival.
 */
async function signedRival(reader: Reader, row: OutgoingEntity, { payload, txHash }: SignedForCaller): Promise<Rival> {
  invariant(payload.kind === 'Psbt', 'a transaction of the Bitcoin family was signed');
  const codec = utxoCodecOf(row.network);
  const { publicKeyHex } = await intentOf(reader, row);
  const { inputs, feeUnits, vbytesMin } = codec.readPsbt(payload.bytesHex, publicKeyHex, 'payload');
  const home = codec.scriptOf(row.fromAddress);
  return { coins: inputs.filter(({ scriptHex }) => scriptHex === home).map(coinOf), txHash, feeUnits, vbytes: vbytesMin };
}

async function place(tx: Tx, row: OutgoingEntity, quoted: ReplacementQuote): Promise<BuildOutcome> {
  const { intent, fees, coins, previous, anchor, rivalHash } = quoted;
  const codec = utxoCodecOf(row.network);
  const shared = await coinStore.shared(tx, row);
  if (anchor.length === 0 || !anchor.every((coin) => shared.has(keyOfCoin(coin))))
    throw wouldFail('The coins were spent before another transaction could replace this one');
  // A replacement would invalidate a signed transfer that spends the rival's change.
  if (rivalHash !== null && (await coinStore.spending(tx, row.network, rivalHash)).length > 0)
    throw wouldFail('Another transaction spends the change of the transaction to replace');
  const free = (await freeOf(tx, row, coins)).filter(({ txid }) => previous.has(txid));
  const selection = codec.select(intent, free, fees, { anchor });
  if (isFault(selection)) throw wouldFail('Insufficient funds for the higher fee');
  if (selection.feeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };

  const unsigned = codec.build(intent, selection, previous);
  assertInsideEnvelope(utxoDecoderOf(row.network).decode(unsigned.bytesHex), row, selection);
  const added = selection.coins.filter((coin) => !shared.has(keyOfCoin(coin)));
  return { kind: 'Built', unsigned, nonce: null, claims: added.map((coin) => coinClaim(row.fromAddress, coin)), context: null };
}
