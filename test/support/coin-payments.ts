import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { utxoCodecOf } from '../../chains/codecs';
import { utxoDecoderOf } from '../../chains/decoders';
import type { Coin } from '../../chains/utxo/types';
import type { NetworkName } from '../../domain/networks';
import type { TestCoinChain } from './coin-chain';

export const PAYMENT_FEE = 2_000n;

/** A key outside the service, whose payments reach the node without the service. */
export type CoinKey = {
  readonly publicKey: string;
  readonly address: string;
  /** Requests coins from the faucet, and returns the id of the transaction. */
  readonly receive: (coins: string) => Promise<string>;
  /** Spends all coins of the key, and gets the rest back as change. Without an amount, nothing comes back. */
  readonly pay: (to: string, amountUnits?: bigint) => Promise<string>;
  /** The signatures of all payments so far. */
  readonly made: readonly { readonly r: string; readonly s: string }[];
};

export function createCoinKey(chain: TestCoinChain, network: NetworkName): CoinKey {
  const codec = utxoCodecOf(network);
  const secret = secp256k1.utils.randomSecretKey();
  const publicKey = bytesToHex(secp256k1.getPublicKey(secret));
  const address = codec.addressOf(publicKey);
  const previous = new Map<string, string>();
  const made: { readonly r: string; readonly s: string }[] = [];
  let coins: readonly Coin[] = [];

  const keep = (rawHex: string) => {
    const created = codec.coinsOf(rawHex, address);
    for (const { txid } of created) previous.set(txid, rawHex);
    coins = [...coins, ...created];
  };

  return {
    publicKey,
    made,
    address,
    receive: async (amount) => {
      const txid = await chain.call<string>('strongroom_fund', address, amount);
      keep(await chain.call<string>('getrawtransaction', txid));
      return txid;
    },
    pay: async (to, amount) => {
      const total = coins.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
      const amountUnits = amount ?? total - PAYMENT_FEE;
      const selection = { coins, feeUnits: PAYMENT_FEE, changeUnits: total - amountUnits - PAYMENT_FEE };
      const unsigned = codec.build({ network, from: address, to, amountUnits, publicKeyHex: publicKey }, selection, previous);
      const signatures = utxoDecoderOf(network)
        .digestsOf(unsigned.bytesHex, publicKey)
        .map(({ digest }) => {
          const compact = bytesToHex(secp256k1.sign(digest, secret, { prehash: false }));
          return { r: `0x${compact.slice(0, 64)}`, s: `0x${compact.slice(64)}` };
        });
      made.push(...signatures);
      const { rawHex } = codec.attach(unsigned, signatures, publicKey);
      coins = [];
      keep(rawHex);
      return chain.call<string>('sendrawtransaction', rawHex);
    },
  };
}
