import { OutScript, selectUTXO } from '@scure/btc-signer';
import { INPUTS_MAX } from '../../domain/transfers';
import { addressOfScript, formsOf, fromHex, type Payment, paymentOf, scriptOf, toHex } from './addresses';
import { bitcoin } from './networks/bitcoin';
import type { Coin, OutputForm, Selection, SelectionFault, UtxoFees, UtxoIntent, UtxoNetwork } from './types';

/** The library takes only whole rates. In thousandths, a rate can be a fraction of a unit. */
const PRECISION = 1_000n;

/**
 * The form and the script with which the key unlocks the sender's address; undefined if the key does not unlock the address.
 * The key is needed, because an address does not show the script that was hashed.
 */
export function ownPayment(network: UtxoNetwork, { from, publicKeyHex }: Pick<UtxoIntent, 'from' | 'publicKeyHex'>) {
  const scriptHex = toHex(scriptOf(network, from));
  return formsOf(network, publicKeyHex)
    .map((form): { form: OutputForm; payment: Payment } => ({ form, payment: paymentOf(form, fromHex(publicKeyHex)) }))
    .find(({ payment }) => toHex(payment.script) === scriptHex);
}

export function dustOf({ dustUnits }: UtxoNetwork, script: Uint8Array): bigint {
  const { type } = OutScript.decode(script);
  if (type === 'pkh') return dustUnits.P2PKH;
  if (type === 'wpkh') return dustUnits.P2WPKH;
  return type === 'sh' ? dustUnits['P2SH-P2WPKH'] : dustUnits.P2TR;
}

/** A coin must be mature, and confirmed or our own change. A very small coin probably carries something other than money. */
function isSpendable(network: UtxoNetwork, scriptHex: string, coin: Coin): boolean {
  if (coin.scriptHex !== scriptHex || coin.hasToken) return false;
  if (coin.isCoinbase && coin.confirmations < network.coinbaseMaturity) return false;
  if (coin.confirmations < 1 && !coin.isOwnChange) return false;
  return coin.amountUnits > network.dustUnits.P2PKH;
}

/**
 * Coins that are offered to the library in addition to the needed coins. The library evaluates every offered coin, so further
 * coins would only cost time.
 */
const SPARE = 24;
const INPUT_VBYTES_MAX = 148n;

/**
 * The largest coins that cover the target and the fees for spending these coins, and the next `SPARE` coins. Another `SPARE`
 * coins are the largest coins that are not above the target, because the library prefers such coins.
 */
function worthAsking(coins: readonly Coin[], targetUnits: bigint, rate: bigint): readonly Coin[] {
  const ordered = [...coins].sort((a, b) => Number(b.amountUnits - a.amountUnits));
  const inputUnits = (rate * INPUT_VBYTES_MAX) / PRECISION;
  let count = 0;
  for (let left = targetUnits; left > 0n && count < ordered.length && count <= INPUTS_MAX; count += 1)
    left -= (ordered[count]?.amountUnits ?? 0n) - inputUnits;
  const fitting = ordered.findIndex(({ amountUnits }) => amountUnits <= targetUnits);
  const few = fitting < 0 ? [] : ordered.slice(fitting, fitting + SPARE);
  return [...new Set([...ordered.slice(0, count + SPARE), ...few])];
}

const totalOf = (coins: readonly Coin[]) => coins.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
const keyOf = ({ txid, vout }: Coin) => `${txid}:${vout}`;
/** The script as an address of Bitcoin: the library does not know other networks, and scripts are the same on all networks. */
const neutralAddress = (script: Uint8Array) => addressOfScript(bitcoin, script);

type OwnPayment = NonNullable<ReturnType<typeof ownPayment>>;

const inputOf = ({ form, payment }: OwnPayment, publicKeyHex: string, { txid, vout, amountUnits }: Coin) => ({
  txid,
  index: vout,
  witnessUtxo: { amount: amountUnits * PRECISION, script: payment.script },
  ...(payment.redeemScript ? { redeemScript: payment.redeemScript } : {}),
  ...(form === 'P2TR' ? { tapInternalKey: fromHex(publicKeyHex) } : {}),
});

export function select(
  network: UtxoNetwork,
  intent: UtxoIntent,
  coins: readonly Coin[],
  { milliUnitsPerVbyte, replacedFeeUnits = 0n, lackingFeeUnits = 0n }: UtxoFees,
  anchor: readonly Coin[] = [],
): Selection | SelectionFault {
  const own = ownPayment(network, intent);
  if (!own) return 'InsufficientFunds';
  const recipient = scriptOf(network, intent.to);
  const isHomecoming = intent.to === intent.from && intent.amountUnits === 0n;
  if (!isHomecoming && intent.amountUnits < dustOf(network, recipient)) return 'Dust';

  const scriptHex = toHex(own.payment.script);
  const required = new Map(anchor.map((coin) => [keyOf(coin), coin]));
  const free = coins.filter((coin) => !required.has(keyOf(coin)) && isSpendable(network, scriptHex, coin));
  const rate = milliUnitsPerVbyte > network.feeRateFloor ? milliUnitsPerVbyte : network.feeRateFloor;
  const asked = worthAsking(free, intent.amountUnits + replacedFeeUnits + lackingFeeUnits, rate);
  const known = new Map([...required, ...asked.map((coin) => [keyOf(coin), coin] as const)]);
  const toInput = (coin: Coin) => inputOf(own, intent.publicKeyHex, coin);
  const candidates = asked.map(toInput);

  /** `extraUnits` are a fee in addition to the rate. */
  const choose = (extraUnits: bigint, perByte: bigint, strategy: 'default' | 'accumBiggest') => {
    const outputs = isHomecoming
      ? []
      : [{ address: neutralAddress(recipient), amount: (intent.amountUnits + extraUnits) * PRECISION }];
    const chosen = selectUTXO(candidates, outputs, strategy, {
      feePerByte: perByte,
      changeAddress: neutralAddress(own.payment.script),
      alwaysChange: isHomecoming,
      dust: dustOf(network, own.payment.script) * PRECISION,
      dustRelayFeeRate: 1n,
      requiredInputs: [...required.values()].map(toInput),
      allowLegacyWitnessUtxo: true,
      createTx: false,
      bip69: false,
    });
    if (!chosen) return undefined;
    const picked = chosen.inputs.flatMap(({ txid, index }) => known.get(`${toHex(txid ?? new Uint8Array())}:${index}`) ?? []);
    const change = chosen.change ? (chosen.outputs.at(-1)?.amount ?? 0n) / PRECISION : 0n;
    // In a transfer to oneself the change is the only output and pays the extra fee.
    const changeUnits = isHomecoming ? change - extraUnits : change;
    return { coins: picked, changeUnits, feeUnits: totalOf(picked) - intent.amountUnits - changeUnits, weight: chosen.weight };
  };
  const chosenAt = (extraUnits: bigint, perByte: bigint) => {
    const first = choose(extraUnits, perByte, 'default');
    return first && first.coins.length > INPUTS_MAX ? choose(extraUnits, perByte, 'accumBiggest') : first;
  };
  const sizeFee = (weight: number) => (BigInt(Math.ceil(weight / 4)) * network.feeRateFloor) / PRECISION;

  let chosen = chosenAt(lackingFeeUnits, rate);
  if (chosen && replacedFeeUnits > 0n && chosen.feeUnits < replacedFeeUnits + sizeFee(chosen.weight))
    chosen = chosenAt(replacedFeeUnits, network.feeRateFloor);
  // At the requested rate, the new coins may need a higher fee than BIP125 requires.
  if (chosen && replacedFeeUnits > 0n && chosen.feeUnits * PRECISION < BigInt(Math.ceil(chosen.weight / 4)) * rate)
    chosen = chosenAt(replacedFeeUnits, rate);
  if (!chosen) {
    const isSplit = asked.length > INPUTS_MAX && totalOf(free) > intent.amountUnits + replacedFeeUnits;
    return isSplit ? 'TooManyCoins' : 'InsufficientFunds';
  }
  if (isHomecoming && chosen.changeUnits < dustOf(network, own.payment.script)) return 'InsufficientFunds';
  const { weight: _, ...selection } = chosen;
  return selection.coins.length > INPUTS_MAX ? 'TooManyCoins' : selection;
}
