import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneExport, cloneImport } from '../../offline-signer/ceremonies/clone';
import { harvest } from '../../offline-signer/ceremonies/harvest';
import { labelled } from '../../offline-signer/ceremonies/input-words';
import { recover } from '../../offline-signer/ceremonies/recover';
import { approve, contribute } from '../../offline-signer/members/approve';
import { follow } from '../../offline-signer/members/follow';
import { takeShare } from '../../offline-signer/members/take-share';
import { Refused } from '../../offline-signer/refused';
import type { Session } from '../../offline-signer/session';
import { canonical } from '../../platform/canonical';
import { assertCeremonyOutput } from '../../platform/fleets/assert-output';
import { FleetFault } from '../../platform/fleets/checks';
import { type FleetManifest, manifestDigest } from '../../platform/fleets/manifests';
import { type OutputFile, outputJsonDigest, type SignedOutputFile } from '../../platform/fleets/outputs';
import { shortDigest } from '../../platform/fleets/statement';
import { createDice } from '../support/dice';
import { approvalsFor, cloneTaskOf, type FoundedFleet, harvestTask, outputFileOf } from '../support/founded-fleet';
import { mutateValue, mutationsOf, wayOf } from '../support/mutations';
import type { Machine } from '../support/offline-fleet';

/** How the attempts with changed texts ended. `accepted` and `broken` must stay empty. `ways` counts the kinds of changes. */
export type Outcome = {
  tried: number;
  readonly ways: Map<string, number>;
  readonly checks: Map<string, number>;
  readonly accepted: string[];
  readonly broken: string[];
};

type Attempt = (text: string) => Promise<unknown>;

async function attempt(outcome: Outcome, what: string, run: () => Promise<unknown>): Promise<void> {
  outcome.tried += 1;
  const way = wayOf(what);
  outcome.ways.set(way, (outcome.ways.get(way) ?? 0) + 1);
  try {
    await run();
    outcome.accepted.push(what);
  } catch (error) {
    const isRefusal = error instanceof FleetFault || error instanceof Refused || error instanceof SyntaxError;
    if (!isRefusal) outcome.broken.push(`${what}: ${(error as Error).stack}`);
    const name = error instanceof FleetFault ? error.check : (error as Error).name;
    outcome.checks.set(name, (outcome.checks.get(name) ?? 0) + 1);
  }
}

const newOutcome = (): Outcome => ({ tried: 0, ways: new Map(), checks: new Map(), accepted: [], broken: [] });
const stateText = ({ folder }: Machine): string => readFileSync(join(folder, 'state.sealed'), 'utf8');

/** Every changed text is refused, and the state on the disk stays as it was. */
async function tryTexts(text: string, seed: number, count: number, machine: Machine, run: Attempt): Promise<Outcome> {
  const outcome = newOutcome();
  const before = stateText(machine);
  for (const mutation of mutationsOf(text, seed, count)) {
    await attempt(outcome, mutation.what, () => run(mutation.text));
    if (stateText(machine) !== before) outcome.broken.push(`${mutation.what}: the state has changed`);
  }
  return outcome;
}

/** A person who approves only the fingerprint that the screen of the device shows for the honest proposal. */
function comparing(machine: Machine, proposal: string): Session {
  const { next } = JSON.parse(proposal) as { next: FleetManifest };
  const shown = labelled('Next manifest', shortDigest(manifestDigest(next)));
  const session = machine.session();
  let said: readonly string[] = [];
  const say = (lines: readonly string[]) => {
    said = lines;
  };
  return { ...session, screen: { ...session.screen, say, confirm: () => Promise.resolve(said.includes(shown)) } };
}

const founded = ({ genesisInput, made }: FoundedFleet) => ({
  received: { input: genesisInput, head: null, knownKeys: new Set<string>() },
  json: made['output.json'] as string,
  file: outputFileOf(made),
});

/** Changed parts of an output, as a man in the middle makes them. */
export async function mutatedOutputs(fleet: FoundedFleet, seed: number, count: number): Promise<Outcome> {
  const { received, json, file } = founded(fleet);
  const outcome = newOutcome();
  for (const { what, text } of mutationsOf(file, seed, count))
    await attempt(outcome, what, () => assertCeremonyOutput({ ...received, outputJson: JSON.parse(json), file: text }));
  for (const { what, text } of mutationsOf(json, seed + 1, count)) {
    if (isSameJson(text, json)) continue;
    await attempt(outcome, what, async () => assertCeremonyOutput({ ...received, outputJson: JSON.parse(text), file }));
  }
  return outcome;
}

/** White space between the members is not content: the service receives the JSON part parsed. */
function isSameJson(text: string, json: string): boolean {
  try {
    return canonical(JSON.parse(text) as never) === json;
  } catch {
    return false;
  }
}

/** The service cannot verify these: the device's clock, and shares that only a provisioner opens. */
const FREE = /^dateMade$|^boxes\.\d+\.(?:enc|sealed|shareDigest)$/;

/** The published form lets a client leave out these members, which the file states as well. */
const OPTIONAL = ['group_id', 'online_domain'];
const isLeftOut = (place: string, value: unknown): boolean =>
  OPTIONAL.includes(place) && typeof value === 'object' && value !== null && !(place in value);

/** Changed contents that a hostile device signs itself. */
export async function mutatedByDevice(fleet: FoundedFleet, seed: number, count: number): Promise<Outcome> {
  const { received, json, file } = founded(fleet);
  const outcome = newOutcome();
  const roll = createDice(seed);
  const { output } = JSON.parse(file) as SignedOutputFile;
  const { open } = fleet.device.session();
  for (let made = 0; made < count; made += 1) {
    const isFile = roll(3) > 0;
    const { path, value } = mutateValue(roll, isFile ? (output as never) : (JSON.parse(json) as never));
    const place = path.join('.');
    const before = isFile ? (output as never) : (JSON.parse(json) as never);
    const isFree = isFile ? FREE.test(place) : isLeftOut(place, value);
    if (isFree || canonical(value) === canonical(before)) continue;
    await attempt(outcome, place, async () => {
      const outputJson = isFile ? JSON.parse(json) : value;
      const whole = (isFile ? value : { ...output, outputJsonDigest: outputJsonDigest(value as never) }) as OutputFile;
      const text = canonical({ output: whole, signed: open.sign('output', whole as never) } as never);
      return assertCeremonyOutput({ ...received, outputJson, file: text });
    });
  }
  return outcome;
}

/** Changed archives that reach devices, provisioners and operators. */
export async function mutatedArchives(
  fleet: FoundedFleet,
  seed: number,
  count: number,
): Promise<Readonly<Record<string, Outcome>>> {
  const { service, device, second, operator, provisioners } = fleet;
  const [provisioner] = provisioners as [Machine];
  const sign = (task: Parameters<typeof service.input>[0]) => service.sign(service.input(task));
  const harvestText = sign(harvestTask());
  const { 'proposal.json': proposal = '' } = await harvest(device.session(), { input: harvestText, approvals: [] });
  const approvals = await approvalsFor(harvest(device.session(), { input: harvestText, approvals: [] }), [operator]);
  const clone = sign(cloneTaskOf(fleet));
  const exported = (given: readonly string[]) =>
    cloneExport(device.session(), { input: clone, card: second.cardText, approvals: given });
  const quorum = await approvalsFor(exported([]), provisioners.slice(0, 2));
  const contributions: string[] = [];
  for (const one of provisioners.slice(0, 2))
    contributions.push(...Object.values(await contribute(one.session(), { card: second.cardText, committed: false })));
  const run = (text: string, machine: Machine, tried: Attempt, offset: number) =>
    tryTexts(text, seed + offset, count, machine, tried);
  const outcomes = {
    input: await run(harvestText, device, (input) => harvest(device.session(), { input, approvals }), 1),
    approval: await run(
      approvals[0] ?? '',
      device,
      (one) => harvest(device.session(), { input: harvestText, approvals: [one] }),
      2,
    ),
    proposal: await run(proposal, operator, (text) => approve(comparing(operator, proposal), { proposal: text }), 3),
    card: await run(
      second.cardText,
      device,
      (card) => cloneExport(device.session(), { input: clone, card, approvals: quorum }),
      4,
    ),
    contribution: await run(
      contributions[1] ?? '',
      second,
      (one) => recover(second.session(), { input: clone, contributions: [contributions[0] ?? '', one] }),
      5,
    ),
    share: await run(outputFileOf(fleet.made), provisioner, (file) => takeShare(provisioner.session(), { file }), 6),
    follow: await run(outputFileOf(fleet.made), operator, (file) => follow(operator.session(), { file }), 7),
  };
  const { 'clone.json': packed = '' } = await exported(quorum);
  const { pending } = device.session().open.state();
  if (pending) service.note(pending.manifest);
  const imported = (text: string) => cloneImport(second.session(), { input: clone, package: text });
  const result = { ...outcomes, package: await run(packed, second, imported, 8) };
  // The unchanged texts are accepted, so the refusals have been for the changes.
  await imported(packed);
  return result;
}
