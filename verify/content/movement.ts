import { z } from 'zod';
import { findNetwork } from '../../chains/networks';
import { hidesAmount } from '../../domain/transfers';
import type { digestOf } from '../../platform/canonical';
import { assertRequested } from '../../signer/judging/requests/assert-requested';
import { Units } from '../../signer/wire/schemas';

type Json = Parameters<typeof digestOf>[0];

/** The movement of a transfer or a transaction, in the form that approvers sign. */
export const Movement = z.looseObject({
  network: z.string().max(64),
  from: z.string().max(128),
  to: z.string().max(128),
  asset: z.string().max(128),
  amountUnits: Units,
  feeCeilingUnits: Units,
  tokenId: Units.optional(),
  options: z
    .looseObject({
      memo: z.string().optional(),
      createDestinationAccount: z.boolean().optional(),
      useDurableNonce: z.boolean().optional(),
    })
    .optional(),
  terms: z.looseObject({ call: z.custom<Json>((call) => call !== undefined) }).optional(),
  sponsor: z.looseObject({ id: z.string().max(64), address: z.string().max(128) }).optional(),
});
export type Movement = z.infer<typeof Movement>;

const Body = z.looseObject({ kind: z.string(), externalId: z.string().optional() });

/**
 * The signer's order for the movement, with only the fields that the comparison with a body reads. Without the rows of a key, it
 * stands for the order of an offline device too.
 */
function orderOf({ network, from, to, asset, amountUnits, tokenId, options, sponsor }: Movement, body: string) {
  const { kind, externalId } = Body.parse(JSON.parse(body));
  const token = { kind, contract: asset, ...(tokenId === undefined ? {} : { tokenId }) };
  return {
    network,
    ...(externalId === undefined ? {} : { intentId: `transfer:${externalId}` }),
    ...(sponsor === undefined ? {} : { sponsor: sponsor.address }),
    ...(options?.useDurableNonce === true ? { nonceAccount: {} } : {}),
    ...(hidesAmount(kind) ? { encrypted: {} } : {}),
    intent: {
      ...{ from, to, amountUnits, asset: asset === 'native' ? { kind: 'Native' } : token },
      ...(options?.memo === undefined ? {} : { memo: options.memo }),
      ...(options?.createDestinationAccount === true ? { createsDestination: true } : {}),
    },
  };
}

/**
 * Whether the body of a transfer requests exactly this movement. Uses the code with which the signer compares a body with its
 * order. The caller compares the wallet in the path of the request.
 */
export function isTransferOf(movement: Movement, body: string): boolean {
  const family = findNetwork(movement.network)?.family;
  if (family === undefined || movement.terms !== undefined) return false;
  const sponsored = movement.sponsor === undefined ? 'signTransfer' : 'signSponsored';
  const op = ({ evm: sponsored, utxo: 'signUtxo', solana: 'signSolana' } as const)[family];
  try {
    const { feeSponsorId } = assertRequested(op, orderOf(movement, body) as never, { cause: 'transferAsset', body });
    return feeSponsorId === (movement.sponsor?.id ?? null);
  } catch {
    // The body is untrusted text, so any error of its parser means that the body does not request this movement.
    return false;
  }
}
