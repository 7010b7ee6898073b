import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { RawTx } from '@scure/btc-signer/script.js';
import { evmCodecOf, solanaCodecOf, utxoCodecOf } from '../chains/codecs';
import type { SolanaLifetime } from '../chains/solana/types';
import type { TransferIntent } from '../chains/types';
import type { Coin } from '../chains/utxo/types';
import type { Evidence } from '../signer/record/evidence';
import { COINS, EVM, EVM_CHAIN_ID, moment, SOLANA, type Wallet } from './organization';

/** The message of an order, without its number. */
export type Order = Readonly<Record<string, unknown>> & {
  readonly op: string;
  readonly requestId?: string;
  readonly evidence?: readonly Evidence[];
};

/** The payment of an order, in terms that do not depend on the chain family. */
export type Content = {
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
  readonly asset?: TransferIntent['asset'];
  readonly memo?: string;
  /** A number that determines the nonce, the coins or the lifetime, so orders from one wallet with the same claim compete. */
  readonly claim: number;
  /** The indexes of the order's coins among the two coins of the claim. */
  readonly coins?: readonly number[];
  readonly price: bigint;
  readonly sponsor?: string;
  /** Another EVM network, on which the same key has a wallet. */
  readonly elsewhere?: keyof typeof OTHER_CHAIN_IDS;
};

export const FEE_CEILING_UNITS = 60_000n * 2_000_000_000n;
const COIN_FEE_CEILING_UNITS = 2_000n;
const LAMPORTS_CEILING = 3_000_000n;
/** The charter does not list a mainnet. */
const OTHER_CHAIN_IDS = { PolygonAmoy: 80_002, Ethereum: 1 } as const;
const COIN_UNITS = [1_000_000_000n, 900_000_000n] as const;
export const evmCodec = evmCodecOf(EVM);
export const coinCodec = utxoCodecOf(COINS);
export const solanaCodec = solanaCodecOf(SOLANA);
export const feesOf = (price: bigint) => ({ gas: 60_000n, maxFeePerGas: price, maxPriorityFeePerGas: price });

export const rowsOf = ({ key: { sealed, dek } }: Wallet) => ({ orgId: sealed.orgId, keyId: sealed.keyId, sealed, dek });

export function evmOrder(wallet: Wallet, requestId: string, content: Content): Order {
  const { from, to, amountUnits, asset = { kind: 'Native' as const }, claim, price, elsewhere } = content;
  const network = elsewhere ?? EVM;
  const chainId = elsewhere === undefined ? EVM_CHAIN_ID : OTHER_CHAIN_IDS[elsewhere];
  const { bytesHex } = evmCodecOf(network).build({ network, from, to, amountUnits, asset }, claim, feesOf(price));
  return {
    ...{ op: 'signTransfer', requestId, ...rowsOf(wallet), network, chainId },
    intent: { from, to, amountUnits: amountUnits.toString(), asset },
    ...{ nonce: claim, feeCeilingUnits: FEE_CEILING_UNITS.toString(), bytesHex, ...moment() },
  };
}

/** Returns the order for the sender's signature, or with `operationSignatures` the order for the sponsor's signature. */
export function sponsoredOrder(
  wallet: Wallet,
  requestId: string,
  { from, to, amountUnits, claim, price, sponsor = '' }: Content,
  operationSignatures?: Parameters<typeof evmCodec.completeSponsored>[1],
): Order {
  const calls = [{ to, valueUnits: amountUnits.toString(), dataHex: '0x' }];
  const operation = { sender: from, nonce: BigInt(claim) << 64n, calls, verificationGas: 100_000n, callGas: 100_000n };
  const built = evmCodec.buildSponsored({ operation, sponsor, authorizationNonce: null }, claim, feesOf(price)).unsigned;
  const unsigned = operationSignatures ? evmCodec.completeSponsored(built, operationSignatures) : built;
  return {
    ...{ op: 'signSponsored', requestId, ...rowsOf(wallet), network: EVM, chainId: EVM_CHAIN_ID },
    intent: { from, to, amountUnits: amountUnits.toString(), asset: { kind: 'Native' } },
    ...{ nonce: claim, feeCeilingUnits: FEE_CEILING_UNITS.toString(), bytesHex: unsigned.bytesHex, ...moment() },
    ...{ sponsor, part: operationSignatures ? 'Transaction' : 'Operation' },
  };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const hexBytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Two coins of the wallet, from a funding transaction that is unique to this claim. */
function fundedCoins(address: string, claim: number) {
  const scriptHex = coinCodec.scriptOf(address);
  const funding = { txid: sha256(Buffer.from(`claim ${claim}`)), index: 0, finalScriptSig: new Uint8Array([0x51]) };
  const rawHex = Buffer.from(
    RawTx.encode({
      ...{ version: 2, segwitFlag: false, lockTime: 0, inputs: [{ ...funding, sequence: 0xffffffff }] },
      outputs: COIN_UNITS.map((amount) => ({ amount, script: hexBytes(scriptHex) })),
    }),
  ).toString('hex');
  const txid = Buffer.from(sha256(sha256(Buffer.from(rawHex, 'hex'))))
    .reverse()
    .toString('hex');
  const known = { confirmations: 6, isCoinbase: false, isOwnChange: false };
  const coins = COIN_UNITS.map((amountUnits, vout): Coin => ({ txid, vout, amountUnits, scriptHex, ...known }));
  return { coins, previous: new Map([[txid, rawHex]]) };
}

export function coinsOrder(wallet: Wallet, requestId: string, content: Content): Order {
  const { from, to, amountUnits, claim, coins: picked = [0, 1], price } = content;
  const { coins: all, previous } = fundedCoins(wallet.row.address, claim);
  const coins = picked.flatMap((at) => all[at] ?? []);
  const feeUnits = 500n + price;
  const whole = coins.reduce((sum, one) => sum + one.amountUnits, 0n);
  const isHomecoming = amountUnits === 0n;
  const changeUnits = isHomecoming ? 0n : whole - amountUnits - feeUnits;
  const intent = { network: COINS, from, to, amountUnits, publicKeyHex: wallet.key.publicKeyHex } as const;
  const { bytesHex } = coinCodec.build(intent, { coins, feeUnits, changeUnits }, previous);
  return {
    ...{ op: 'signUtxo', requestId, ...rowsOf(wallet), network: COINS },
    intent: { from, to, amountUnits: amountUnits.toString() },
    ...{ feeCeilingUnits: COIN_FEE_CEILING_UNITS.toString(), bytesHex, ...moment() },
  };
}

const addressFor = (text: string) => base58.encode(sha256(Buffer.from(text)));

/** Returns the order for the sender's signature, or with `walletSignatureHex` the order for the sponsor's signature. */
export function solanaOrder(wallet: Wallet, requestId: string, content: Content, walletSignatureHex?: string): Order {
  const { from, to, amountUnits, memo, claim, price, sponsor } = content;
  const isDurable = claim % 2 === 1;
  const value = addressFor(`blockhash ${claim}`);
  const account = addressFor('nonce account');
  const lifetime: SolanaLifetime = isDurable
    ? { kind: 'durable-nonce', account, authority: from, value }
    : { kind: 'blockhash', blockhash: value, lastValidBlockHeight: 9n };
  const asset = { kind: 'Native' } as const;
  const { bytesHex } = solanaCodec.build(
    { network: SOLANA, asset, memo, feePayer: sponsor, from, to, amountUnits },
    { lifetime, computeUnitLimit: 30_000, microLamportsPerUnit: price },
  );
  return {
    ...{ op: 'signSolana', requestId, ...rowsOf(wallet), network: SOLANA },
    intent: { from, to, amountUnits: amountUnits.toString(), asset, ...(memo === undefined ? {} : { memo }) },
    ...{ feeCeilingUnits: LAMPORTS_CEILING.toString(), bytesHex, ...moment() },
    ...(isDurable ? { nonceAccount: account } : {}),
    ...(sponsor === undefined ? {} : { sponsor }),
    ...(walletSignatureHex === undefined ? {} : { walletSignatureHex }),
  };
}

export const payloadOrder = (wallet: Wallet, requestId: string, payload: object): Order => ({
  ...{ op: 'signPayload', requestId, ...rowsOf(wallet), payload, evidence: [], policyEpoch: 0, ...moment() },
});

const BUILDERS = { [EVM]: evmOrder, [COINS]: coinsOrder, [SOLANA]: solanaOrder } as const;

/** An order in the format of the wallet's chain family. */
export function orderOf(wallet: Wallet, requestId: string, content: Content): Order {
  if (wallet.row.network === EVM && content.sponsor !== undefined) return sponsoredOrder(wallet, requestId, content);
  const { network } = wallet.row;
  if (network === EVM || network === COINS || network === SOLANA) return BUILDERS[network](wallet, requestId, content);
  throw new Error(`no order is built for ${network}`);
}
