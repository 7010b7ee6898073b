import { z } from 'zod';
import { randomOf } from '../drill/chaos/random';
import { FLEET_OPS } from '../signer/orders/fleets/fleet-requests';
import { type AttackGroup, createChoice } from './attacks/all';
import type { Attempt, Scene } from './attacks/attack';
import { attestedGain } from './attested';
import { callsEffect } from './effects';
import { type Genuine, genuineOf, HONEST_KINDS, type HonestKind } from './honest';
import { createJudge, type Judge } from './judge';
import { LIMIT_UNITS, type Organization, type Wallet } from './organization';
import { PACE } from './people';
import { restrict } from './restricting';
import { createTally } from './tally';
import { createWire, type Outcome, type Wire } from './wire';
import { carryOut, type Fate } from './worker';

/** The number of attempts against one pair of genuine orders. */
const ATTEMPTS_PER_SCENE = 8;
/** The number of genuine orders: the first two, and at most two replacements for each attempt. */
const GENUINE_PER_SCENE = 2 * (ATTEMPTS_PER_SCENE + 1);
/** Approved orders are chosen more often, because their evidence has the most parts. */
const APPROVED_KINDS = HONEST_KINDS.filter((kind) => kind.startsWith('approved'));
const APPROVED_SHARE = 0.35;
/** The share of genuine orders that are carried out before the attempts against them. */
const USED_SHARE = 0.25;
/** This time is short, because the signer does not reply to a message whose number the attacker has corrupted. */
const ATTACKER_WAITS_MS = 5_000;
const WORKER_WAITS_MS = 30_000;
const SIGNING = ['signTransfer', 'signSponsored', 'signUtxo', 'signSolana', 'signPayload'];

type Signer = { readonly socketPath: string; readonly authKey: Buffer };
export type RunOptions = {
  readonly seed: string;
  /** Called before each scene. Returns whether the scene begins. */
  readonly goesOn: (so: { readonly attempts: number; readonly successes: number }) => boolean;
  /** Runs only the scene with this attempt, and only up to this attempt. */
  readonly only?: number | undefined;
  readonly lanes: number;
  readonly groups: readonly AttackGroup[];
  readonly stateDir: string;
};
/** An attempt with a gain for the attacker. */
export type Success = { readonly attempt: number; readonly kind: string; readonly gain: string };

const Message = z.looseObject({ op: z.string().optional(), order: z.looseObject({}).optional() });
const Read = z.looseObject({ op: z.string().optional(), requestId: z.string().optional(), orgId: z.string().optional() });
const Rows = z.looseObject({ sealed: z.looseObject({ publicKeyHex: z.string() }).optional() });

/** The order as the signer read it. If a name occurs twice, the last member is used. */
const orderIn = (attempt: Attempt): object => {
  if ('order' in attempt) return attempt.order;
  const { op, order = {} } = Message.parse('textOf' in attempt ? JSON.parse(attempt.textOf(0).replace(/^\ufeff/, '')) : {});
  return { op, ...order };
};

const isFleetOp = (op: string): boolean => (FLEET_OPS as readonly string[]).includes(op);

/** The attacker's gain from an accepted message; undefined if there is none. */
function gainOf(order: object, result: unknown, { organization, judge }: { organization: Organization; judge: Judge }) {
  const { op = 'charter', orgId } = Read.parse(order);
  if (SIGNING.includes(op)) return judge.judgeSignatures(order, result).gain;
  if (isFleetOp(op)) return 'an order about an offline store was carried out';
  if (op === 'charter') return 'a charter was adopted, or a store was added';
  if (op === 'amendCharter') return 'an amendment was accepted';
  if (op === 'attestAddress') return attestedGain(result, organization);
  // A freeze belongs to one organisation, so its release under another organisation has no effect.
  if (op === 'releaseFreeze') return orgId === organization.orgId ? 'a freeze was released' : undefined;
  const keys = new Set(Object.values(organization.wallets).map(({ key }) => key.publicKeyHex));
  const { sealed } = Rows.parse(order);
  const isOurs = sealed === undefined || keys.has(sealed.publicKeyHex);
  return isOurs && (op === 'exportKey' || op === 'deriveShared') ? 'a secret of a key' : undefined;
}

const perform = (attempt: Attempt, wire: Wire): Promise<Outcome> => {
  if ('act' in attempt) return attempt.act();
  return 'order' in attempt ? wire.send(attempt.order) : wire.sendText(attempt.textOf);
};

/** Attacks the signer while `goesOn` returns true. An honest worker also sends orders, which must all be carried out. */
export async function runRedTeam(signer: Signer, organization: Organization, options: RunOptions) {
  const { seed, goesOn, only, lanes, stateDir, groups } = options;
  const choose = createChoice(groups);
  const tally = createTally();
  const fates = { done: 0, taken: 0 };
  const successes: Success[] = [];
  const faults: string[] = [];
  const taken = new Set<string>();
  const noncesOf = ({ row }: Wallet) => `nonce:${row.address.toLowerCase()}:`;
  const { limited, paced } = organization.wallets;
  const judge = createJudge(
    { prefix: noncesOf(limited), unitsMax: LIMIT_UNITS },
    { prefix: noncesOf(paced), countMax: PACE.limit },
  );
  // A sponsored payment may be replaced by an operation that does not move funds, if the same sponsor pays the fee.
  const { free, sponsor } = organization.wallets;
  judge.allowIdle(callsEffect(free.row.address, free.row.address, 0n, sponsor.row.address));

  const attack = async (scene: Scene, wire: Wire) => {
    const { kind, make } = choose(scene.random);
    const attempt = make(scene);
    if (!attempt) return tally.notMade(kind);
    if ('before' in attempt && attempt.before) {
      const first = await wire.send(attempt.before);
      if (first.kind === 'Accepted') judge.judgeSignatures(attempt.before, first.result);
    }
    const outcome = await perform(attempt, wire);
    if (outcome.kind === 'Refused') return tally.refused(kind, outcome.reason);
    const order = orderIn(attempt);
    const gain = gainOf(order, outcome.result, { organization, judge });
    const { requestId } = Read.parse(order);
    if (requestId !== undefined) taken.add(requestId);
    tally.accepted(kind, gain !== undefined);
    if (gain !== undefined) successes.push({ attempt: scene.number, kind, gain });
  };

  const note = (fate: Fate, scene?: number) => {
    if (fate === 'Done') fates.done += 1;
    else if (fate === 'Taken') fates.taken += 1;
    else faults.push(scene === undefined ? fate.fault : `scene ${scene}: ${fate.fault}`);
  };

  const playScene = async (at: number, wires: { readonly attacker: Wire; readonly worker: Wire }) => {
    const random = randomOf(seed, `scene ${at}`);
    const kind = random.oneOf(random.share() < APPROVED_SHARE ? APPROVED_KINDS : HONEST_KINDS);
    const otherKind = random.share() < 0.6 ? kind : random.oneOf(HONEST_KINDS);
    let made = 0;
    const makeGenuine = (one: HonestKind): Genuine => {
      const genuine = genuineOf(one, { organization, number: GENUINE_PER_SCENE * at + made, random });
      made += 1;
      judge.ask(genuine.effect);
      return genuine;
    };
    const pair = [kind, otherKind].map(makeGenuine);
    const isUsed = pair.map(() => random.share() < USED_SHARE);
    const parts = { wire: wires.worker, judge, isTaken: (id: string | undefined) => id !== undefined && taken.has(id) };
    const carryOutWhere = async (used: boolean) => {
      for (const [index, genuine] of pair.entries()) if (isUsed[index] === used) note(await carryOut(genuine, parts), at);
    };
    await carryOutWhere(true);
    const first = at * ATTEMPTS_PER_SCENE;
    for (let number = first; number < first + ATTEMPTS_PER_SCENE && (only === undefined || number <= only); number += 1) {
      const [genuine, other] = (await Promise.all(
        pair.map(async (one, index) => {
          // The signer repeats an earlier signature without judging the order, so a signed order is replaced by a new order.
          if (isUsed[index] || !judge.isSigned(one.effect)) return one;
          note(await carryOut(one, parts), at);
          pair[index] = makeGenuine(one.kind);
          return pair[index] as Genuine;
        }),
      )) as [Genuine, Genuine];
      const scene = { organization, random: randomOf(seed, `attempt ${number}`), number, genuine, other, stateDir };
      await attack({ ...scene, socketPath: signer.socketPath }, wires.attacker);
    }
    await carryOutWhere(false);
  };

  let next = only === undefined ? 0 : Math.floor(only / ATTEMPTS_PER_SCENE);
  const last = only === undefined ? Number.POSITIVE_INFINITY : next;
  const lane = async () => {
    const open = (replyWithinMs: number) => createWire(signer.socketPath, signer.authKey, replyWithinMs);
    const wires = { attacker: open(ATTACKER_WAITS_MS), worker: open(WORKER_WAITS_MS) };
    while (next <= last && goesOn({ attempts: tally.attempts(), successes: successes.length })) {
      next += 1;
      await playScene(next - 1, wires);
    }
    wires.attacker.close();
    wires.worker.close();
  };
  await Promise.all(Array.from({ length: only === undefined ? lanes : 1 }, lane));
  if (organization.restrictions) {
    const outcome = await restrict(stateDir, organization.restrictions.last);
    note(outcome === 'Adopted' ? 'Done' : { fault: `the restriction of a member was refused: ${outcome}` });
  }
  return { tally, successes, faults, fates };
}
export type RunResult = Awaited<ReturnType<typeof runRedTeam>>;
