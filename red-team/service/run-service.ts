import { setTimeout as delay } from 'node:timers/promises';
import { randomOf } from '../../drill/chaos/random';
import { until } from '../../drill/faults/polling';
import { createSignerClient } from '../../signer/client';
import { ATTACK_GROUPS } from '../attacks/all';
import { openOrganization } from '../organization';
import { type RunOptions, runRedTeam } from '../run';
import { createTally } from '../tally';
import { weighted } from '../weighted';
import type { Deed } from './attacks/deed';
import { ORDER_DEEDS } from './attacks/order-deeds';
import { PLANTED_DEEDS } from './attacks/planted-people';
import { ROW_DEEDS } from './attacks/row-deeds';
import { TEMPORAL_DEEDS } from './attacks/temporal-deeds';
import { type Company, foundCompany } from './company';
import { createEndings } from './endings';
import { type Hands, openHands } from './hands';
import type { OpenedService } from './open-service';
import { type Ending, type Request, STORIES, type Story, tellStory } from './traffic';
import { createVerdicts, type Verdicts } from './verdicts';
import { openWatch } from './watch';

const DEEDS: readonly Deed[] = [...ORDER_DEEDS, ...ROW_DEEDS, ...PLANTED_DEEDS, ...TEMPORAL_DEEDS];
const PEOPLE_LANES = 4;
const ATTACKER_LANES = 4;
/** The number of parallel connections for the attempts that attack only the signer. */
const SIGNER_LANES = 2;
const PATIENCE_MS = 90_000;
const LOOK_EVERY_MS = 1_000;
const SEEN_WITHIN_MS = 120_000;
/** After the last attempt, effects of earlier attempts may still occur for this long. */
const AFTERMATH_MS = 15_000;
const SIGNER_TIMEOUT_MS = 30_000;
/** The number of latest attempts that are reported with a gain, because the watch notices a gain some time after the attempt. */
const LAST_ATTEMPTS = 12;
const REASON_CHARS = 60;

export type ServiceOptions = {
  readonly seed: string;
  readonly goesOn: () => boolean;
  readonly say: (line: string) => void;
};
type Parts = { readonly seed: string; readonly company: Company; readonly verdicts: Verdicts; readonly requests: Request[] };

function createPeople({ seed, company, verdicts, requests }: Parts) {
  let told = 0;
  const story = async (named?: Story): Promise<readonly [string, Ending]> => {
    told += 1;
    const random = randomOf(seed, `story ${told}`);
    const chosen = named ?? weighted(random, STORIES);
    const play = { company, verdicts, random, number: told, patienceMs: PATIENCE_MS };
    return [chosen.name, await tellStory(chosen, { ...play, tell: (request) => void requests.push(request) })];
  };
  return {
    story: () => story(),
    told: () => told,
    /** Plays each story twice without an attacker. Throws unless every story ends as people intended. */
    async control(): Promise<void> {
      const waiting = [...STORIES, ...STORIES];
      const ended: (readonly [string, Ending])[] = [];
      const tellRest = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) ended.push(await story(next));
      };
      await Promise.all(Array.from({ length: PEOPLE_LANES }, tellRest));
      const faults = ended.flatMap(([name, ending]) => (ending === 'Done' ? [] : [`${name}: ${ending.hindered}`]));
      if (faults.length > 0) throw new Error(`without an attacker, not all was carried out: ${faults.join('; ')}`);
    },
  };
}

type Attacking = { readonly hands: Hands; readonly gained: (what: string) => void };

function createAttacker({ seed, company, verdicts, requests }: Parts, { hands, gained }: Attacking) {
  const tally = createTally();
  const last: string[] = [];
  let attempts = 0;
  return {
    tally,
    last,
    async attempt(): Promise<void> {
      attempts += 1;
      const number = attempts;
      const random = randomOf(seed, `deed ${number}`);
      const { kind, act } = weighted(random, DEEDS);
      last.push(`${number} (${kind})`);
      last.splice(0, last.length - LAST_ATTEMPTS);
      try {
        const outcome = await act({ hands, company, random, number, requests, know: verdicts.know, gained });
        if (!outcome) tally.notMade(kind);
        else if (outcome.kind === 'Refused') tally.refused(kind, outcome.reason);
        else tally.accepted(kind, false);
      } catch (error) {
        tally.refused(kind, error instanceof Error ? error.message.slice(0, REASON_CHARS) : 'unknown');
      }
    },
  };
}

type SignerPlace = Pick<OpenedService, 'loot' | 'stateDir' | 'rig'>;

/** The attempts that attack only the service's signer, for another organisation. */
async function attackSigner({ loot, stateDir, rig: { operatorKey } }: SignerPlace, seed: string, goesOn: () => boolean) {
  const { socketPath, authKey } = loot;
  const client = createSignerClient({ socketPath, authKey, timeoutMs: SIGNER_TIMEOUT_MS });
  const organization = await openOrganization({ client, stateDir, operatorKey, isChartered: true });
  const untilGain: RunOptions['goesOn'] = ({ successes }) => successes === 0 && goesOn();
  const options = { seed, goesOn: untilGain, lanes: SIGNER_LANES, groups: ATTACK_GROUPS, stateDir };
  const { tally, successes, faults } = await runRedTeam({ socketPath, authKey }, organization, options);
  await client.close();
  return {
    ...{ attempts: tally.attempts(), faults },
    gains: successes.map(({ attempt, kind, gain }) => `attempt ${attempt} at the signer, ${kind}: ${gain}`),
  };
}

/**
 * First lets people work without an attacker: every story must then end as people intended. Afterwards the people and the
 * attacker work at the same time, until the time is over or the attacker has a gain.
 */
export async function attackService(service: OpenedService, { seed, goesOn, say }: ServiceOptions) {
  const company = await foundCompany(service);
  const parts: Parts = { seed, company, verdicts: createVerdicts(company), requests: [] };
  const watch = await openWatch({ service, ...parts });
  const hands = await openHands(service, company);
  const people = createPeople(parts);
  const endings = createEndings();
  const gains: string[] = [];
  const attacker = createAttacker(parts, { hands, gained: (what) => void gains.push(what) });
  const look = async () => {
    const seen = await watch.look();
    for (const gain of seen.gains) gains.push(`${gain}; the last attempts were ${attacker.last.join(', ')}`);
    return seen.isWhole;
  };
  const seesAll = async () => ((await look()) ? true : undefined);
  const isOver = () => gains.length > 0 || !goesOn();
  const lane = async (act: () => Promise<void>) => {
    while (!isOver()) await act();
  };
  const lanes = (count: number, act: () => Promise<void>) => Array.from({ length: count }, () => lane(act));
  const lookAgain = async () => {
    await look();
    await delay(LOOK_EVERY_MS);
  };
  try {
    await people.control();
    await until('the watch has seen all that people did', seesAll, SEEN_WITHIN_MS);
    const { payments } = parts.verdicts;
    say(`${people.told()} stories of people without an attacker, all ended as intended: ${payments()} payments in blocks`);
    const [direct] = await Promise.all([
      attackSigner(service, seed, () => !isOver()).then((done) => {
        gains.push(...done.gains);
        return done;
      }),
      ...lanes(1, lookAgain),
      ...lanes(PEOPLE_LANES, async () => endings.note(...(await people.story()))),
      ...lanes(ATTACKER_LANES, attacker.attempt),
    ]);
    if (gains.length === 0) await delay(AFTERMATH_MS);
    if (gains.length === 0) await until('the watch has seen all that was signed', seesAll, SEEN_WITHIN_MS);
    const counts = { stories: people.told(), payments: payments(), signatures: watch.signatures() };
    return { tally: attacker.tally, gains, endings: endings.lines(), direct, ...counts };
  } finally {
    await hands.close();
  }
}
