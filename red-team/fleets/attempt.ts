import type { Random } from '../../drill/chaos/random';
import { canonical } from '../../platform/canonical';
import type { Genuine, HonestKind } from '../honest';
import type { Judge } from '../judge';
import type { Wire } from '../wire';
import {
  askSeal,
  askVouch,
  asVouch,
  type Carried,
  carry,
  forgedVouch,
  poolKeyOf,
  requestOf,
  signedByThief,
  signingInput,
} from './carry';
import type { Machine } from './machines';
import type { Vault } from './vault';

/** What an attack has. `judge` knows what people asked the real signer, and `twinJudge` what they asked of this attempt. */
export type FleetScene = {
  readonly vault: Vault;
  readonly random: Random;
  readonly genuine: Genuine;
  readonly other: Genuine;
  readonly wire: Wire;
  readonly judge: Judge;
  readonly twinJudge: Judge;
  readonly twin: Machine;
};

/** The outcomes of the steps of one attempt. Undefined if the genuine orders have nothing for this kind. */
export type FleetAttack = {
  readonly kind: string;
  readonly weight: number;
  /** The kinds of genuine orders that this kind can attack. Without it, any. */
  readonly of?: readonly HonestKind[];
  readonly make: (scene: FleetScene) => Promise<readonly Carried[] | undefined>;
};

export const newGroup = (random: Random): string => `fg-${Buffer.from(random.bytes(12)).toString('hex')}`;

type Given = { readonly groupId?: string; readonly evidence?: readonly unknown[] };

/** The archive for this order by the real signer, or the signer's refusal. */
export async function archiveFor(
  { vault, wire, random }: Pick<FleetScene, 'vault' | 'wire' | 'random'>,
  order: object,
  { groupId = newGroup(random) }: Given = {},
): Promise<{ readonly text: string } | { readonly refused: string } | undefined> {
  const message = asVouch(order, vault.place.storeId, groupId);
  const key = poolKeyOf(vault, order);
  if (message === undefined || key === undefined) return undefined;
  const vouched = await askVouch(wire, message);
  if (vouched.kind === 'Refused') return { refused: vouched.reason };
  const request = requestOf(message, key, (vouched.result as { vouched: never }).vouched);
  const input = signingInput(vault, groupId, [request]);
  const sealed = await askSeal(wire, input);
  if (sealed.kind === 'Refused') return { refused: sealed.reason };
  return { text: canonical({ input, signed: (sealed.result as { signed: object }).signed } as never) };
}

/** The real signer judges the order, and people carry the archive to the real device. */
export async function throughSigner(scene: FleetScene, order: object): Promise<readonly Carried[] | undefined> {
  const made = await archiveFor(scene, order);
  if (made === undefined) return undefined;
  if ('refused' in made) return [{ refused: made.refused }];
  return [await carry(scene.vault.device, made.text, scene.judge)];
}

type Forging = { readonly dateVouched?: string; readonly input?: object };

/** The attacker's signer vouches for the order, and people carry the archive to the twin. */
export async function throughThief(
  { vault, twin, twinJudge, random }: FleetScene,
  order: object,
  { dateVouched = new Date().toISOString(), input: changes = {} }: Forging = {},
  now?: () => Date,
): Promise<readonly Carried[] | undefined> {
  const groupId = newGroup(random);
  const message = asVouch(order, vault.place.storeId, groupId);
  const key = poolKeyOf(vault, order);
  if (message === undefined || key === undefined) return undefined;
  const request = requestOf(message, key, forgedVouch(vault, message, groupId, dateVouched));
  const input = { ...signingInput(vault, groupId, [request]), ...changes };
  return [await carry(twin, signedByThief(vault, input), twinJudge, now)];
}
