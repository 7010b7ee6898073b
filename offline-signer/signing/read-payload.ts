import { evmDecoderOf, solanaDecoderOf, utxoDecoderOf } from '../../chains/decoders';
import { digestOf } from '../../platform/canonical';
import type { JudgedOrders } from '../../signer/judging/judged-orders';
import { requireNetwork } from '../../signer/judging/require-network';
import type { SigningPayload } from '../../signer/judging/signing-payload';
import type { JudgedOrder } from '../../signer/orders/sign-once';
import { refuseUnless } from '../../signer/wire/refusal';
import { refuseOnDeviceUnless } from './device-refusal';
import type { ScreenReading } from './judged-request';
import { coinLines, offlineMovement, unknownCallLines } from './offline-movement';

type Kind = SigningPayload['kind'];
type Payload<K extends Kind> = Extract<SigningPayload, { readonly kind: K }>;
type Reader<K extends Kind> = (payload: Payload<K>, judged: JudgedOrder, publicKeyHex: string) => ScreenReading;

const MESSAGE = { isMessage: true, effect: undefined, feeUnits: {} } as const;
/** A signature with an effect on chain that the device cannot put into amounts. */
const UNSHOWN = { isMessage: false, effect: undefined, feeUnits: {} } as const;

const LINE_CHARS = 96;
/** Every character that a person must read: text as text, and other bytes as hex. */
function messageLines(hex: string): readonly string[] {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(bytes);
  return [isText ? 'Signs the message:' : 'Signs these bytes as a message:', ...linesOf(isText ? text : hex)];
}
/** The mark keeps a line of the text from looking like a line of the program, such as an approval. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${LINE_CHARS}}`, 'gu')) ?? [''])
    .map((line) => `| ${line}`);

/** The decoder must understand the whole transaction, because a person sees only its effect. */
function readEvm({ bytesHex }: Payload<'EvmTransaction'>, { network: name = '' }: JudgedOrder): ScreenReading {
  const network = requireNetwork('evm', name);
  const { call, effect, maxFeeUnits, nonce, opaque } = evmDecoderOf(network.name).decodeCall(bytesHex);
  refuseUnless(opaque.length === 0, 'BytesNotUnderstood');
  const effectShown = offlineMovement(effect);
  return {
    isMessage: false,
    effect: effectShown,
    feeUnits: { native: maxFeeUnits },
    details: [`Nonce: ${nonce}`, ...(effectShown ? [] : unknownCallLines(effect, digestOf(call as never)))],
  };
}

/** A message with a blockhash is never signed offline, and a nonce of another authority does not end with this signature. */
function readSolana({ bytesHex, network }: Payload<'SolanaTransaction'>, { signed }: JudgedOrder): ScreenReading {
  refuseOnDeviceUnless((signed.claims ?? []).length > 0, 'NonceNotDurable');
  const decoder = solanaDecoderOf(requireNetwork('solana', network).name);
  refuseUnless(decoder.callOf(bytesHex) !== undefined, 'BytesNotUnderstood');
  const { maxFeeUnits, instructions, signers } = decoder.decode(bytesHex);
  return {
    isMessage: false,
    effect: offlineMovement(decoder.effectOf(bytesHex)),
    feeUnits: { native: maxFeeUnits },
    details: [`Signers: ${signers.join(', ')}`, `Instructions: ${instructions.map(({ kind }) => kind).join(', ')}`],
  };
}

function readPsbt({ bytesHex, network }: Payload<'Psbt'>, { signed }: JudgedOrder, publicKeyHex: string): ScreenReading {
  const decoder = utxoDecoderOf(requireNetwork('utxo', network).name);
  const { address, recipients, amountUnits } = decoder.effectOf(bytesHex, { publicKeyHex });
  const paid = recipients.filter((one) => one !== address);
  return {
    isMessage: false,
    effect: recipients.length === 0 ? undefined : { asset: 'native', recipients: paid, amountUnits },
    feeUnits: { native: decoder.decode(bytesHex).feeUnits },
    details: coinLines(signed.claims ?? []),
  };
}

const notOffline = (): never => {
  refuseOnDeviceUnless(false, 'NotOffline');
};

const READERS: { readonly [K in Kind]: Reader<K> } = {
  // A bare hash does not show its effect, and a person at the device could not judge it.
  Hash: notOffline,
  Eip7702: notOffline,
  SvcSmartAccountTransaction: notOffline,
  Message: ({ messageHex }) => ({ ...MESSAGE, details: messageLines(messageHex) }),
  Eip191: ({ messageHex }) => ({ ...MESSAGE, details: messageLines(messageHex) }),
  Bip322: ({ messageHex }) => ({ ...MESSAGE, details: messageLines(messageHex) }),
  Eip712: ({ typedData }) => ({
    ...UNSHOWN,
    details: ['Signs typed data, which can let others take tokens:', ...linesOf(JSON.stringify(JSON.parse(typedData), null, 1))],
  }),
  EvmTransaction: readEvm,
  SolanaTransaction: readSolana,
  Psbt: readPsbt,
};

/** A payload that needs a switch of the signer does not show its effect. */
export function readPayload({ payload, sealed }: JudgedOrders['signPayload'], judged: JudgedOrder): ScreenReading {
  refuseOnDeviceUnless(judged.needs === undefined, 'NotOffline');
  return (READERS[payload.kind] as Reader<Kind>)(payload, judged, sealed.publicKeyHex);
}
