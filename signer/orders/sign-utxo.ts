import { createHash } from 'node:crypto';
import type { InputDigest } from '../../chains/utxo/types';
import { digestOf } from '../../platform/canonical';
import { intentDigestOf } from '../../platform/intent-digest';
import { judgeUtxo } from '../judging/judge-utxo';
import type { JudgedOrders } from '../judging/judged-orders';
import type { PayloadSignature, SignUtxoOrder } from '../protocol';
import type { Signed } from '../record/signing-entries';
import { Refusal } from '../wire/refusal';
import type { JudgedOrder, OnceSigner } from './sign-once';

const NO_SCRIPT_TREE = new Uint8Array();

/** One message per input, in the order of the inputs. */
export function signingParts(digests: readonly InputDigest[]): Pick<JudgedOrder, 'message' | 'options' | 'further'> {
  const [first, ...further] = digests.map(({ digest, isTaproot }) => ({
    message: digest,
    options: isTaproot ? { taprootMerkleRoot: NO_SCRIPT_TREE } : undefined,
  }));
  if (!first) throw new Refusal('InputNotOurs');
  return { ...first, further };
}

/** SHA-256 of the PSBT's bytes. Each input has a digest of its own, so no single digest is signed. */
export const psbtDigest = (bytesHex: string): string =>
  `0x${createHash('sha256')
    .update(Buffer.from(bytesHex.slice(2), 'hex'))
    .digest('hex')}`;

function describe(order: JudgedOrders['signUtxo'], claims: readonly string[]): Signed {
  const { requestId, intentId, orgId, keyId, network, bytesHex, replaces, takesLeft } = order;
  const { callDigest, ...intent } = order.intent;
  return {
    requestId,
    ...(intentId === undefined ? {} : { intentId }),
    orgId,
    keyId,
    intentDigest: intentDigestOf({
      orgId,
      keyId,
      network,
      intent: { ...intent, asset: { kind: 'Native' }, ...(callDigest === undefined ? {} : { callDigest }) },
    }),
    payloadDigest: digestOf({ orgId, keyId, network, bytesHex }),
    claims: [...claims],
    ...(replaces === undefined ? {} : { replaces }),
    ...(takesLeft === undefined ? {} : { takesLeft }),
  };
}

export function judgedUtxo(order: JudgedOrders['signUtxo'], nowMs: number): JudgedOrder {
  const { digests, claims } = judgeUtxo(order, nowMs);
  const { network, bytesHex } = order;
  return {
    asked: { op: 'signUtxo', order },
    network,
    signed: describe(order, claims),
    digestHex: psbtDigest(bytesHex),
    ...signingParts(digests),
  };
}

export function createUtxoSigner(signOnce: OnceSigner, nowMs: () => number) {
  return (order: SignUtxoOrder): Promise<PayloadSignature> => signOnce(order, () => judgedUtxo(order, nowMs()));
}
