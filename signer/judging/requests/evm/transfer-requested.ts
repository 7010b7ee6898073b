import { z } from 'zod';
import type { EvmNetwork } from '../../../../chains/evm/types';
import type { Effect } from '../../../../chains/types';
import { Units } from '../../../wire/schemas';
import type { JudgedOrders } from '../../judged-orders';
import { requireNetwork } from '../../require-network';
import {
  assertAsked,
  assertIntentId,
  PositiveUnits,
  readSignedBody,
  type SignedRequest,
  SponsorId,
  WRITTEN_TRANSFER,
  WrittenAddress,
} from '../signed-body';
import { isEffectOf } from './is-effect-of';
import { addressWritten } from './written-members';

const MOVED = {
  ...WRITTEN_TRANSFER,
  feeSponsorId: SponsorId.optional(),
};

const Body = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Native'), amount: PositiveUnits, ...MOVED }),
  z.strictObject({ kind: z.literal('Erc20'), contract: WrittenAddress, amount: PositiveUnits, ...MOVED }),
  z.strictObject({ kind: z.literal('Erc7984'), contract: WrittenAddress, amount: Units, ...MOVED }),
  z.strictObject({ kind: z.literal('Erc721'), contract: WrittenAddress, tokenId: Units, ...MOVED }),
]);
type Body = z.infer<typeof Body>;

function assetIn(body: Body, { addressPrefix }: EvmNetwork): Effect['asset'] {
  if (body.kind === 'Native') return { kind: body.kind };
  const contract = addressWritten(body.contract, addressPrefix);
  return body.kind === 'Erc721' ? { kind: body.kind, contract, tokenId: body.tokenId } : { kind: body.kind, contract };
}

/** The address with its checksum and without a prefix that only this network has. Throws for any other text. */
export const evmAddressAsked = (text: string, network: string): string =>
  addressWritten(text, requireNetwork('evm', network).addressPrefix);

/** The ciphertext of an ERC-7984 amount does not show the amount, so only its presence is compared. */
export function assertEvmTransfer(
  order: JudgedOrders['signTransfer'] | JudgedOrders['signSponsored'],
  request: SignedRequest,
): string | null {
  const body = readSignedBody(Body, request);
  const { intent, encrypted, replaces, intentId } = order;
  const network = requireNetwork('evm', order.network);
  assertAsked(intent.callDigest === undefined && replaces === undefined);
  const recipient = addressWritten(body.to, network.addressPrefix);
  const amountUnits = BigInt(body.kind === 'Erc721' ? 1 : body.amount);
  assertAsked(isEffectOf(intent, { asset: assetIn(body, network), recipient, amountUnits }));
  assertAsked((encrypted !== undefined) === (body.kind === 'Erc7984'));
  assertIntentId(intentId, 'transfer', body.externalId);
  return body.feeSponsorId ?? null;
}
