import { z } from 'zod';
import { findNetwork } from '../../chains/networks';
import { parseStrictJson } from '../../platform/strict-json';
import { Address, Units } from '../../signer/wire/schemas';
import { refuseOnDeviceUnless } from './device-refusal';
import type { JudgedRequest } from './judged-request';

const Limit = z.strictObject({ perRequestUnits: Units.exactOptional(), perGroupUnits: Units.exactOptional() });
const NetworkRules = z.strictObject({
  /** The only recipients. Without this list, every recipient is allowed. */
  recipients: z.array(Address).max(10_000).exactOptional(),
  /** By asset: `native`, or the address of a contract or mint. Other assets are refused. Without `limits`, no amount is limited. */
  limits: z.record(z.union([z.literal('native'), Address]), Limit).exactOptional(),
  /** The highest fee of one request, in smallest units of the native coin. */
  feeCeilingUnits: Units.exactOptional(),
});
type NetworkRules = z.infer<typeof NetworkRules>;

/** The file `rules.json` of the device, which only people at the device can change. */
export const DeviceRules = z.strictObject({
  v: z.literal(1),
  /** Without a charter, only the signer vouches for what people approved. */
  requireCharter: z.boolean(),
  /** The operator may confirm all requests of a group at once, after all of them were shown. */
  confirmAllAtOnce: z.boolean(),
  /** Messages and typed data, whose effect the device cannot judge by amounts. */
  messages: z.boolean(),
  /** The only networks. */
  networks: z.record(
    z.string().refine((name) => findNetwork(name) !== undefined, { error: 'must be a network of this release' }),
    NetworkRules,
  ),
});
export type DeviceRules = z.infer<typeof DeviceRules>;

/** Throws for a text that is not a valid rules file. A device must not sign by rules that it only understands in part. */
export function readRules(text: string): DeviceRules {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  if (!json.ok) throw new Error(`rules.json: ${json.fault.path} ${json.fault.message}`);
  const { data, error } = DeviceRules.safeParse(json.value);
  if (data) return data;
  const [issue] = error.issues;
  throw new Error(`rules.json: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}

/** The amounts of the requests of one group that the rules have let pass so far, by network and asset. */
export type GroupSums = Map<string, bigint>;

/** The letter case of an EVM address is only a checksum. */
const nameOf = (text: string): string => (text.startsWith('0x') ? text.toLowerCase() : text);
const ruleOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.entries(record).find(([one]) => nameOf(one) === nameOf(name))?.[1];

/** The amounts that leave the wallet, with the highest fee. Undefined if the bytes do not show the amounts. */
function unitsOf({ effect, feeUnits }: JudgedRequest): ReadonlyMap<string, bigint> | undefined {
  if (effect === undefined) return undefined;
  const sums = new Map(Object.entries(feeUnits));
  sums.set(effect.asset, (sums.get(effect.asset) ?? 0n) + effect.amountUnits);
  return sums;
}

function assertRecipients({ recipients }: NetworkRules, { effect }: JudgedRequest): void {
  if (recipients === undefined) return;
  refuseOnDeviceUnless(effect !== undefined, 'EffectUnknown');
  const allowed = new Set(recipients.map(nameOf));
  refuseOnDeviceUnless(
    effect.recipients.every((one) => allowed.has(nameOf(one))),
    'RecipientNotAllowed',
  );
}

/** Returns the sums of the group with this request. */
function limitedSums(network: string, { limits }: NetworkRules, judged: JudgedRequest, sums: GroupSums): GroupSums {
  if (limits === undefined) return sums;
  const units = unitsOf(judged);
  refuseOnDeviceUnless(units !== undefined, 'EffectUnknown');
  const next = new Map(sums);
  for (const [asset, amountUnits] of units) {
    const limit = ruleOf(limits, asset);
    refuseOnDeviceUnless(limit !== undefined, 'AssetNotAllowed');
    const { perRequestUnits, perGroupUnits } = limit;
    refuseOnDeviceUnless(perRequestUnits === undefined || amountUnits <= BigInt(perRequestUnits), 'AboveRequestLimit');
    const name = `${network} ${nameOf(asset)}`;
    const sum = (sums.get(name) ?? 0n) + amountUnits;
    refuseOnDeviceUnless(perGroupUnits === undefined || sum <= BigInt(perGroupUnits), 'AboveGroupLimit');
    next.set(name, sum);
  }
  return next;
}

/**
 * Throws a `DeviceRefusal` unless the rules allow the request. Returns the sums of the group with this request. The sums include
 * every request that passed, even if the operator then declines it.
 */
export function assertRules(rules: DeviceRules | undefined, judged: JudgedRequest, sums: GroupSums): GroupSums {
  if (rules === undefined) return sums;
  const { network, transactionOn, isMessage } = judged;
  refuseOnDeviceUnless(transactionOn !== undefined || rules.messages, 'MessageNotAllowed');
  // A message may be valid on every network.
  if (network === undefined) return sums;
  const ofNetwork = rules.networks[network];
  refuseOnDeviceUnless(ofNetwork !== undefined, 'NetworkNotAllowed');
  if (isMessage) return sums;
  assertRecipients(ofNetwork, judged);
  const { feeCeilingUnits } = ofNetwork;
  const feeUnits = judged.feeUnits['native'] ?? 0n;
  refuseOnDeviceUnless(feeCeilingUnits === undefined || feeUnits <= BigInt(feeCeilingUnits), 'FeeAboveRule');
  return limitedSums(network, ofNetwork, judged, sums);
}
