import { z } from 'zod';
import { evmUserEffectOf } from '../../../../chains/decoders';
import type { Effect } from '../../../../chains/types';
import { USER_OPERATIONS_MAX, type UserCall } from '../../../../domain/transactions';
import { contractOf } from '../../../../domain/transfers';
import { digestOf } from '../../../../platform/canonical';
import type { JudgedOrders } from '../../judged-orders';
import { requireNetwork } from '../../require-network';
import { assertAsked, assertIntentId, RequestExternalId, readSignedBody, type SignedRequest, SponsorId } from '../signed-body';
import { isEffectOf } from './is-effect-of';
import { addressWritten, bytesWritten } from './written-members';

export const WrittenOperations = z
  .array(
    z.strictObject({
      to: z.string().max(42),
      value: z
        .string()
        .regex(/^[0-9]{1,78}$/)
        .optional(),
      data: z.string().max(65_536).optional(),
    }),
  )
  .min(1)
  .max(USER_OPERATIONS_MAX);

const Body = z.strictObject({
  kind: z.literal('UserOperations'),
  userOperations: WrittenOperations,
  feeSponsorId: SponsorId,
  externalId: RequestExternalId,
});

export const callsRequested = (operations: z.infer<typeof WrittenOperations>): readonly UserCall[] =>
  operations.map(({ to, value = '0', data = '0x' }) => ({
    to: addressWritten(to),
    valueUnits: BigInt(value).toString(),
    dataHex: bytesWritten(data),
  }));

/** The calls of a body, and the sponsor that it names. Throws a `Refusal`. */
export function operationsAsked(request: Pick<SignedRequest, 'body'>) {
  const { userOperations, feeSponsorId, externalId } = readSignedBody(Body, request);
  return { calls: callsRequested(userOperations), feeSponsorId, externalId };
}

const sum = (effects: readonly Effect[]): bigint => effects.reduce((total, { amountUnits }) => total + amountUnits, 0n);

/**
 * The effects that the policies may have judged. A call that looks like a token transfer is judged as a transfer only if the
 * token exists on the chain, which the body does not show. Therefore, the calls of one token have two possible effects.
 */
function effectsOf(calls: readonly UserCall[]): readonly Effect[] {
  const effects = calls.map(evmUserEffectOf);
  const [first] = effects;
  assertAsked(first !== undefined);
  const native = sum(effects.filter(({ asset }) => asset.kind === 'Native' || asset.kind === 'Call'));
  const { asset, recipient } = first;
  const several: Effect = { asset: { kind: 'Call' }, recipient, amountUnits: native };
  if (asset.kind === 'Call') return [several];
  const contract = contractOf(asset);
  const isOne = effects.every(({ asset: other }) => other.kind === asset.kind && contractOf(other) === contract);
  const known = isOne ? { asset, recipient, amountUnits: sum(effects) } : several;
  return contract === null ? [known] : [known, { ...several, recipient: contract }];
}

/** Returns the sponsor that the body names. */
export function assertUserOperations(order: JudgedOrders['signSponsored'], request: SignedRequest): string {
  const { calls, feeSponsorId, externalId } = operationsAsked(request);
  const { intent, encrypted, replaces, intentId } = order;
  requireNetwork('evm', order.network);
  assertAsked(encrypted === undefined && replaces === undefined && digestOf(calls) === intent.callDigest);
  assertAsked(effectsOf(calls).some((effect) => isEffectOf(intent, effect)));
  assertIntentId(intentId, 'transaction', externalId);
  return feeSponsorId;
}
