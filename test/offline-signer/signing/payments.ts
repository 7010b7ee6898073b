import { evmCodecOf, solanaCodecOf, utxoCodecOf } from '../../../chains/codecs';
import type { SolanaLifetime } from '../../../chains/solana/types';
import type { TransferIntent } from '../../../chains/types';
import type { TransferAsset } from '../../../domain/transfers';
import { digestOf } from '../../../platform/canonical';
import type { FleetKey } from '../../../platform/fleets/inputs';
import vectors from '../../chains/solana/vectors.json';
import { fundedCoins } from '../../chains/utxo/coins';
import { keyOf, ORG, type Travelling } from './fleet';

export const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const FEES = { gas: 60_000n, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
export const evm = evmCodecOf('EthereumSepolia');
export const coins = utxoCodecOf('BitcoinSignet');
export const solana = solanaCodecOf('SolanaDevnet');
const CEILING = '60000000000000';

type Common = { readonly keyId?: string; readonly index?: number; readonly key?: FleetKey };
const common = (requestId: string, key: ReturnType<typeof keyOf>, keyId = 'key-1') => ({
  ...{ requestId, orgId: ORG, keyId, publicKeyHex: key.publicKey, curve: key.curve },
});
const payloadDigest = ({ orgId, keyId, network, bytesHex }: Record<'orgId' | 'keyId' | 'network' | 'bytesHex', string>) =>
  digestOf({ orgId, keyId, network, bytesHex });

const CHAIN_IDS = { EthereumSepolia: 11_155_111, Ethereum: 1, TempoModerato: 42_431 } as const;
type EvmName = keyof typeof CHAIN_IDS;
type Evm = Common & {
  readonly network?: EvmName;
  readonly amountUnits?: bigint;
  readonly asset?: TransferAsset;
  readonly to?: string;
  readonly nonce?: number;
  readonly fees?: typeof FEES;
  /** What the bytes do in place of the approved transfer. */
  readonly built?: Partial<TransferIntent>;
  /** Further members of the order. */
  readonly order?: Readonly<Record<string, unknown>>;
};

/** A transfer of 0.000001 ether unless `wanted` says otherwise. */
export function evmPayment(requestId: string, wanted: Evm = {}): Travelling {
  const { amountUnits = 1_000_000_000_000n, asset = { kind: 'Native' }, to = TO, nonce = 7, fees = FEES, built = {} } = wanted;
  const { network = 'EthereumSepolia' } = wanted;
  const { key = keyOf('secp256k1', wanted.index) } = wanted;
  const from = evm.addressOf(key.publicKey);
  const intent: TransferIntent = { network, from, to, amountUnits, asset };
  const order = {
    ...common(requestId, key, wanted.keyId),
    ...{ scheme: 'ECDSA', network, chainId: CHAIN_IDS[network], nonce, feeCeilingUnits: CEILING },
    intent: { from, to, amountUnits: amountUnits.toString(), asset },
    bytesHex: evmCodecOf(network).build({ ...intent, ...built }, nonce, fees).bytesHex,
    ...wanted.order,
  };
  const claims = [`${network} ${from.toLowerCase()} ${nonce}`];
  return { op: 'vouchTransfer', key, order, claims, payloadDigest: payloadDigest(order) };
}

/** A transaction of the first key with this data, to the token. */
export const evmCall = (data: string): string =>
  evm.buildCall({ type: 2, to: USDC, valueUnits: '0', dataHex: data, accessList: [], authorizationList: [] }, 7, FEES).bytesHex;

export const coinAddress = coins.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const COINS = [50_000n, 40_000n, 60_000n] as const;
type Coins = Common & {
  /** The positions of the coins in `COINS`. */
  readonly spends?: readonly number[];
  readonly amountUnits?: bigint;
  readonly feeUnits?: bigint;
  readonly built?: { readonly to?: string; readonly amountUnits?: bigint };
};

/** A payment with change, and two inputs unless `wanted` says otherwise. */
export function coinPayment(requestId: string, wanted: Coins = {}): Travelling {
  const { amountUnits = 70_000n, feeUnits = 500n, spends = [0, 1], built = {} } = wanted;
  const { key = keyOf('secp256k1', wanted.index) } = wanted;
  const { publicKey: publicKeyHex } = key;
  const { address: from, coins: all, previous } = fundedCoins('BitcoinSignet', publicKeyHex, undefined, COINS);
  const found = all.filter((_coin, at) => spends.includes(at));
  const does = { network: 'BitcoinSignet' as const, from, to: coinAddress, amountUnits, publicKeyHex, ...built };
  const changeUnits = found.reduce((sum, one) => sum + one.amountUnits, 0n) - does.amountUnits - feeUnits;
  const order = {
    ...{ ...common(requestId, key, wanted.keyId), scheme: 'ECDSA', network: 'BitcoinSignet', feeCeilingUnits: '1000' },
    intent: { from, to: coinAddress, amountUnits: amountUnits.toString() },
    bytesHex: coins.build(does, { coins: found, feeUnits, changeUnits }, previous).bytesHex,
  };
  const claims = found.map(({ txid, vout }) => `utxo BitcoinSignet ${txid}:${vout}`);
  return { op: 'vouchUtxo', key, order, claims, payloadDigest: payloadDigest(order) };
}

type Solana = Common & {
  readonly amountUnits?: bigint;
  readonly isDurable?: boolean;
  readonly built?: { readonly to?: string; readonly amountUnits?: bigint };
};

/** A payment of SOL under a durable nonce. */
export function solanaPayment(requestId: string, wanted: Solana = {}): Travelling {
  const { amountUnits = 1_000n, isDurable = true, built = {} } = wanted;
  const { recipient: to, blockhash: value, nonceAccount: account } = vectors;
  const { key = keyOf('ed25519', wanted.index) } = wanted;
  const from = solana.addressOf(key.publicKey);
  const lifetime: SolanaLifetime = isDurable
    ? { kind: 'durable-nonce', account, authority: from, value }
    : { kind: 'blockhash', blockhash: value, lastValidBlockHeight: 9n };
  const does = { network: 'SolanaDevnet' as const, from, to, amountUnits, asset: { kind: 'Native' as const }, ...built };
  const { bytesHex } = solana.build(does, { lifetime, computeUnitLimit: 30_000, microLamportsPerUnit: 1_000n });
  const order = {
    ...{
      ...common(requestId, key, wanted.keyId),
      scheme: 'EdDSA',
      network: 'SolanaDevnet',
      feeCeilingUnits: '3000000',
      bytesHex,
    },
    intent: { from, to, amountUnits: amountUnits.toString(), asset: { kind: 'Native' } },
    ...(isDurable ? { nonceAccount: account } : {}),
  };
  const claims = isDurable ? [`SolanaDevnet durable ${account} ${value}`] : [];
  return { op: 'vouchSolana', key, order, claims, payloadDigest: payloadDigest(order) };
}

/** The same order, which replaces the request. */
export const replacing = (replaces: string, { order, ...payment }: Travelling): Travelling => ({
  ...payment,
  order: { ...order, replaces },
});

/** The digest of a payload that is not a transaction, as the signer records it. */
const payloadDigestOf = (orgId: string, keyId: string, { kind, ...rest }: { readonly kind: string }): string =>
  digestOf({ orgId, keyId, kind, payload: JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) });

/** A signature with the first key of the scheme's curve. `claims` are the claims of a transaction. */
export function payloadOf(
  requestId: string,
  scheme: 'ECDSA' | 'EdDSA',
  payload: Readonly<Record<string, unknown>> & { readonly kind: string },
  { claims = [], network }: { readonly claims?: readonly string[]; readonly network?: string } = {},
): Travelling {
  const key = keyOf(scheme === 'ECDSA' ? 'secp256k1' : 'ed25519');
  const order = { ...common(requestId, key), scheme, payload, evidence: [] };
  const { orgId, keyId } = order;
  const bytesHex = 'bytesHex' in payload ? String(payload.bytesHex) : undefined;
  const digest =
    network === undefined || bytesHex === undefined
      ? payloadDigestOf(orgId, keyId, payload)
      : payloadDigest({ orgId, keyId, network, bytesHex });
  return { op: 'vouchPayload', key, order, claims, payloadDigest: digest };
}
