import { z } from 'zod';
import { evmDecoderOf } from '../../../chains/decoders';
import { digestOf } from '../../../platform/canonical';
import { refuseUnless } from '../../wire/refusal';
import { requireNetwork } from '../require-network';
import type { Envelope } from './approved-groups';
import { type AskedOrder, isPayload, sponsorOf } from './asked-order';

type Json = Parameters<typeof digestOf>[0];
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json;
const isSame = (one: unknown, other: unknown): boolean => digestOf(plain(one)) === digestOf(plain(other));

const Terms = z.looseObject({ call: z.custom<Json>((call) => call !== undefined) });
const Outgoing = z.looseObject({
  network: z.string(),
  from: z.string(),
  to: z.string(),
  asset: z.string(),
  amountUnits: z.string(),
  feeCeilingUnits: z.string().regex(/^[0-9]{1,78}$/),
  tokenId: z.string().optional(),
  options: z.looseObject({ memo: z.string().optional(), createDestinationAccount: z.boolean().optional() }).optional(),
  terms: Terms.optional(),
  sponsor: z.looseObject({ address: z.string() }).optional(),
});

/** Throws a `Refusal` unless the approvers saw the content of this order. `network` is the network of the signed bytes. */
export function assertApprovedContent(asked: AskedOrder, network: string | undefined, envelope: Envelope): void {
  const isSeen = isPayload(asked) ? isSamePayload(asked, network, envelope) : isSameMovement(asked, envelope);
  refuseUnless(isSeen, 'ApprovalMismatch');
}

function isSameMovement(asked: Exclude<AskedOrder, { op: 'signPayload' }>, envelope: Envelope): boolean {
  const seen = Outgoing.safeParse(envelope).data;
  if (!seen) return false;
  const { intent, network, feeCeilingUnits } = asked.order;
  const asset = 'asset' in intent ? intent.asset : { kind: 'Native' as const };
  const assetName = 'contract' in asset ? asset.contract : { Call: 'call', Native: 'native' }[asset.kind];
  const calls = seen.terms === undefined ? undefined : digestOf(seen.terms.call);
  const { memo, createsDestination } = { memo: undefined, createsDestination: undefined, ...intent };
  return (
    isSame([seen.network, seen.from, seen.to, seen.amountUnits], [network, intent.from, intent.to, intent.amountUnits]) &&
    isSame([seen.asset, seen.tokenId], [assetName, 'tokenId' in asset ? asset.tokenId : undefined]) &&
    isSame([seen.options?.memo, seen.options?.createDestinationAccount ?? false], [memo, createsDestination ?? false]) &&
    isSame([calls, seen.sponsor?.address], [intent.callDigest, sponsorOf(asked)]) &&
    BigInt(feeCeilingUnits) <= BigInt(seen.feeCeilingUnits)
  );
}

const Signature = z.looseObject({ keyId: z.string(), payload: z.looseObject({ kind: z.string() }) });
const Open = z.looseObject({ kind: z.literal('OpenEvmTransaction'), network: z.string(), terms: Terms });

/** If a request for a transaction left nonce and fees open, the approvers saw only the call. */
function isSamePayload(
  { order }: Extract<AskedOrder, { op: 'signPayload' }>,
  network: string | undefined,
  envelope: Envelope,
): boolean {
  const seen = Signature.safeParse(envelope).data;
  if (!seen || seen.keyId !== order.keyId) return false;
  const open = Open.safeParse(seen.payload).data;
  if (!open) return isSame(seen.payload, order.payload);
  if (order.payload.kind !== 'EvmTransaction' || open.network !== network) return false;
  const { call } = evmDecoderOf(requireNetwork('evm', open.network).name).decodeCall(order.payload.bytesHex);
  return digestOf(call) === digestOf(open.terms.call);
}
