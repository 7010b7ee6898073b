import { type Random, randomOf } from '../../drill/chaos/random';
import { type AttackGroup, createChoice } from '../attacks/all';
import { genuineOf, type HonestKind } from '../honest';
import { createJudge, type Judge } from '../judge';
import { createTally } from '../tally';
import { weighted } from '../weighted';
import { createWire } from '../wire';
import { ARCHIVE_ATTACKS } from './archive-attacks';
import { archiveFor, type FleetAttack, type FleetScene, throughSigner, throughThief } from './attempt';
import { type Carried, carry } from './carry';
import { CEREMONY_ATTACKS } from './ceremony-attacks';
import type { Machine } from './machines';
import type { Vault } from './vault';

/** Every kind of order that a device signs. */
const KINDS: readonly HonestKind[] = [
  ...(['payment', 'token payment', 'approved payment', 'repeated payment', 'message', 'approved message'] as const),
  ...(['payment of coins', 'approved payment of coins', 'repeated payment of coins', 'signed transaction'] as const),
  ...(['Solana payment', 'approved Solana payment'] as const),
];
const ORDER_GROUPS: readonly AttackGroup[] = ['fields', 'contents', 'evidence', 'layers'];
/** The share of attempts that change the order, in place of the archive or the ceremony. */
const ORDER_SHARE = 0.6;
const HONEST_SHARE = 0.15;
/** The folder of the twin grows with each signature, and its claims are of no use to later attempts. */
const TWIN_LASTS = 100;
const ANSWERS_WITHIN_MS = 10_000;
const NO_LIMIT = { prefix: 'none', unitsMax: 0n };
const NO_PACE = { prefix: 'none', countMax: 0 };

export type FleetRunOptions = {
  readonly seed: string;
  readonly goesOn: (so: { readonly attempts: number; readonly successes: number }) => boolean;
};
export type FleetSuccess = { readonly attempt: number; readonly kind: string; readonly gain: string };

const changeOrder = createChoice(ORDER_GROUPS);

/** A changed order, either through the real signer and its device, or through the attacker's signer and the twin. */
function orderAttack(random: Random, number: number): FleetAttack {
  const { kind, make } = changeOrder(random);
  const isThief = random.share() < 0.5;
  return {
    kind: `order: ${kind}, ${isThief ? 'vouched by a stolen signer' : 'to the signer'}`,
    weight: 1,
    async make(scene) {
      const { vault, genuine, other } = scene;
      let attempt: ReturnType<typeof make>;
      try {
        attempt = make({ organization: vault.organization, random, number, genuine, other, socketPath: '', stateDir: '' });
      } catch {
        // The vault has no wallet or charter that this kind needs.
        return undefined;
      }
      if (!attempt || !('order' in attempt)) return undefined;
      return isThief ? throughThief(scene, attempt.order) : throughSigner(scene, attempt.order);
    },
  };
}

/** Attacks the device while `goesOn` returns true. People also carry honest archives, whose requests must be signed. */
export async function runFleetRedTeam(vault: Vault, { seed, goesOn }: FleetRunOptions) {
  const tally = createTally();
  const successes: FleetSuccess[] = [];
  const faults: string[] = [];
  const wire = createWire(vault.signer.socketPath, vault.signer.authKey, ANSWERS_WITHIN_MS);
  const newJudge = (): Judge => createJudge(NO_LIMIT, NO_PACE);
  const judge = newJudge();
  let [honest, number, twin]: [number, number, Machine] = [0, 0, vault.twinAt('twin-0')];

  const note = (kind: string, attempt: number, carried: readonly Carried[] | undefined) => {
    if (carried === undefined) return tally.notMade(kind);
    for (const one of carried) {
      if ('refused' in one) {
        tally.refused(kind, one.refused);
        continue;
      }
      tally.accepted(kind, one.gain !== undefined);
      if (one.gain !== undefined) successes.push({ attempt, kind, gain: one.gain });
    }
  };

  const carryHonest = async (scene: FleetScene): Promise<void> => {
    const { genuine } = scene;
    const made = await archiveFor(scene, genuine.order);
    const outcome = made && 'text' in made ? await carry(vault.device, made.text, judge) : made;
    if (outcome && 'signed' in outcome && outcome.gain === undefined) honest += 1;
    else faults.push(`${genuine.kind}: ${JSON.stringify(outcome)}`);
  };

  for (; goesOn({ attempts: tally.attempts(), successes: successes.length }); number += 1) {
    const random = randomOf(seed, `attempt ${number}`);
    if (number > 0 && number % TWIN_LASTS === 0) twin = vault.twinAt(`twin-${number}`);
    const twinJudge = newJudge();
    const attack =
      random.share() < ORDER_SHARE ? orderAttack(random, number) : weighted(random, [...ARCHIVE_ATTACKS, ...CEREMONY_ATTACKS]);
    const genuineFor = (at: number) => {
      const kind = random.oneOf(attack.of ?? KINDS);
      // A Solana payment with an odd number has a durable nonce.
      const genuine = genuineOf(kind, { organization: vault.organization, number: 4 * number + 2 * at + 1, random });
      for (const one of [judge, twinJudge]) one.ask(genuine.effect);
      return genuine;
    };
    const scene: FleetScene = { vault, random, genuine: genuineFor(0), other: genuineFor(1), wire, judge, twinJudge, twin };
    if (random.share() < HONEST_SHARE) await carryHonest(scene);
    note(attack.kind, number, await attack.make(scene));
  }
  wire.close();
  return { tally, successes, faults, honest };
}
