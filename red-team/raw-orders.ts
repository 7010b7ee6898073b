import { solanaDecoderOf } from '../chains/decoders';
import { digestOf } from '../platform/canonical';
import { type Content, coinsOrder, evmCodec, evmOrder, feesOf, type Order, solanaOrder } from './orders';
import { SOLANA, type Wallet } from './organization';

type Json = Parameters<typeof digestOf>[0];
const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

const callOf = ({ to, amountUnits }: Content, dataHex: string) => ({
  ...{ type: 2 as const, to, valueUnits: amountUnits.toString(), dataHex, accessList: [], authorizationList: [] },
});

/** A transaction that a person wrote, with the data of its call. */
export function rawEvmOrder(wallet: Wallet, requestId: string, content: Content, dataHex = '0x'): Order {
  const call = callOf(content, dataHex);
  const { bytesHex } = evmCodec.buildCall(call, content.claim, feesOf(content.price));
  const { asset, recipient, amountUnits } = evmCodec.effectOf(call);
  const intent = {
    from: content.from,
    to: recipient,
    amountUnits: amountUnits.toString(),
    asset,
    callDigest: digestOf(plain(call)),
  };
  return { ...evmOrder(wallet, requestId, { ...content, asset: { kind: 'Native' } }), intent, bytesHex };
}

/** The envelope for the approval of a raw payment, which contains the call. */
export const rawEnvelope = ({ network, feeCeilingUnits }: Order, content: Content): object => ({
  ...{
    network,
    from: content.from,
    to: content.to,
    asset: 'native',
    amountUnits: content.amountUnits.toString(),
    feeCeilingUnits,
  },
  terms: { call: callOf(content, '0x') },
});

/** A PSBT that a person made. */
export function rawCoinsOrder(wallet: Wallet, requestId: string, content: Content): Order {
  const { bytesHex, intent, ...order } = coinsOrder(wallet, requestId, content);
  return {
    ...order,
    op: 'signUtxo',
    bytesHex,
    intent: { ...(intent as object), callDigest: digestOf({ psbtHex: String(bytesHex) }) },
  };
}

/** A Solana message that a person made. */
export function rawSolanaOrder(wallet: Wallet, requestId: string, content: Content): Order {
  const { bytesHex, intent, ...order } = solanaOrder(wallet, requestId, content);
  const call = solanaDecoderOf(SOLANA).callOf(String(bytesHex));
  const { memo: _memo, ...rest } = intent as { readonly memo?: string };
  return { ...order, op: 'signSolana', bytesHex, intent: { ...rest, callDigest: digestOf(plain(call ?? {})) } };
}
