import { DAY_MS } from '../../domain/durations';
import { canonical } from '../../platform/canonical';
import type { FleetInput, SignedInput } from '../../platform/fleets/inputs';
import { manifestDigest } from '../../platform/fleets/manifests';
import { newId } from '../../platform/ids';
import { archiveFor, type FleetAttack, type FleetScene, newGroup, throughThief } from './attempt';
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

/** The archive that the real signer makes for an order. */
const honestArchive = (scene: FleetScene, order: object = scene.genuine.order) => archiveFor(scene, order);

type Change = (scene: FleetScene, text: string) => string | Promise<string>;

/** Changes an honest archive on its way to the device. */
const changing =
  (change: Change): FleetAttack['make'] =>
  async (scene) => {
    const made = await honestArchive(scene);
    if (made === undefined) return undefined;
    if ('refused' in made) return [made];
    const text = await change(scene, made.text);
    return text === made.text ? undefined : [await carry(scene.vault.device, text, scene.judge)];
  };

const read = (text: string): SignedInput => JSON.parse(text) as SignedInput;
const whole = (value: object): string => canonical(value as never);

const editText: Change = ({ random }, text) => {
  const at = random.whole(0, text.length - 1);
  const char = String.fromCharCode(random.whole(32, 126));
  return random.oneOf([
    text.slice(0, at) + char + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + random.whole(1, 40)),
    text.slice(0, at) + char + text.slice(at),
    text.slice(0, at),
    `${text}\n`,
    text.replace('{', '{"v":1,'),
  ]);
};

const YEAR_MS = 365 * DAY_MS;
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  orgId: ['or-thief'],
  storeId: ['ks-thief', 'software'],
  groupId: ['fg-thief'],
  signerId: ['sgn-thief'],
  fleetId: ['fl-thief'],
  manifest: [null, '0'.repeat(64)],
  notAfter: ['2099-01-01T00:00:00.000Z'],
  dateIssued: ['2020-01-01T00:00:00.000Z'],
};

const otherPlace: Change = ({ random }, text) => {
  const { input, signed } = read(text);
  const name = random.oneOf(Object.keys(OTHERS));
  return whole({ input: { ...input, [name]: random.oneOf(OTHERS[name] ?? []) }, signed });
};

const otherSigner: Change = ({ vault, random }, text) => {
  const { input, signed } = read(text);
  const own = vault.thief.state('input', input);
  return whole({ input, signed: random.oneOf([own, { ...own, by: signed.by }, { ...signed, by: own.by }]) });
};

/** Two archives of the real signer, with parts of one in the other. */
async function spliced(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const [one, two] = [await honestArchive(scene), await honestArchive(scene, scene.other.order)];
  if (one === undefined || two === undefined || !('text' in one) || !('text' in two)) return undefined;
  const [{ input, signed }, second] = [read(one.text), read(two.text)];
  if (input.task.kind !== 'OnchainSign' || second.input.task.kind !== 'OnchainSign') return undefined;
  const [mine, others] = [input.task.requests, second.input.task.requests];
  const requests = scene.random.oneOf([
    others,
    [...mine, ...others],
    [...mine, ...mine],
    mine.map((each) => ({ ...each, order: others[0]?.order ?? '' })),
    mine.map((each) => ({ ...each, vouched: others[0]?.vouched ?? each.vouched })),
    mine.map((each) => ({ ...each, key: others[0]?.key ?? each.key })),
  ]);
  const task = { kind: 'OnchainSign' as const, requests: [...requests] };
  const text =
    scene.random.share() < 0.5 ? whole({ input: { ...input, task }, signed }) : whole({ input, signed: second.signed });
  return [await carry(scene.vault.device, text, scene.judge)];
}

/** A vouch of one group in the input of another. The real signer must not seal it. */
async function movedVouch(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const { vault, wire, random, genuine, judge } = scene;
  const [first, second] = [newGroup(random), newGroup(random)];
  const message = asVouch(genuine.order, vault.place.storeId, first);
  const key = poolKeyOf(vault, genuine.order);
  if (!message || !key) return undefined;
  const vouched = await askVouch(wire, message);
  if (vouched.kind === 'Refused') return [{ refused: vouched.reason }];
  const input = signingInput(vault, second, [requestOf(message, key, (vouched.result as { vouched: never }).vouched)]);
  const sealed = await askSeal(wire, input);
  if (sealed.kind === 'Refused') return [{ refused: sealed.reason }];
  return [await carry(vault.device, whole({ input, signed: (sealed.result as { signed: object }).signed }), judge)];
}

/** An input that continues an older manifest, none, or one that does not exist; by both signers. */
async function oldManifest(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const { vault, wire, random, genuine } = scene;
  const manifest = random.oneOf([null, '0'.repeat(64), vault.manifest.previous]);
  const abandons = random.oneOf([[], [manifestDigest(vault.manifest)]]);
  const groupId = newGroup(random);
  const message = asVouch(genuine.order, vault.place.storeId, groupId);
  const key = poolKeyOf(vault, genuine.order);
  if (!message || !key) return undefined;
  const request = requestOf(message, key, forgedVouch(vault, message, groupId, new Date().toISOString()));
  const input = { ...signingInput(vault, groupId, [request]), manifest, abandons };
  const sealed = await askSeal(wire, input);
  const bySigner: Carried =
    sealed.kind === 'Refused' ? { refused: sealed.reason } : { signed: 0, gain: 'an old manifest was sealed' };
  return [bySigner, await carry(scene.twin, signedByThief(vault, input), scene.twinJudge)];
}

/** The same archive twice, and on a second device. Only the first signatures may come out. */
async function replayed(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const made = await honestArchive(scene);
  if (made === undefined) return undefined;
  if ('refused' in made) return [made];
  const { device } = scene.vault;
  const between = await honestArchive(scene, scene.other.order);
  const outcomes = [await carry(device, made.text, scene.judge)];
  if (between && 'text' in between) outcomes.push(await carry(device, between.text, scene.judge));
  outcomes.push(await carry(device, made.text, scene.judge), await carry(scene.twin, made.text, scene.judge));
  return outcomes;
}

/** A payment, its replacement, and then the archive of the payment that was replaced. */
async function replaced(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const { genuine, judge, vault } = scene;
  if (!genuine.next || !genuine.content) return undefined;
  const old = await honestArchive(scene);
  if (old === undefined) return undefined;
  if ('refused' in old) return [old];
  const outcomes = [await carry(vault.device, old.text, judge)];
  const next = await honestArchive(scene, { ...genuine.next({ signatures: [] }), evidence: genuine.order.evidence });
  if (next && 'text' in next) outcomes.push(await carry(vault.device, next.text, judge));
  else if (next) outcomes.push(next);
  outcomes.push(await carry(vault.device, old.text, judge));
  const again = await honestArchive(scene);
  if (again && 'text' in again) outcomes.push(await carry(vault.device, again.text, judge));
  return outcomes;
}

/** One request of people, with several ids, nonces and coins. */
async function severalVouches(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const { genuine, twin, vault, twinJudge, random } = scene;
  const { content, wallet, build, order } = genuine;
  if (!content) return undefined;
  const rebuilt = (claim: number, requestId: string) => ({
    ...build(wallet, requestId, { ...content, claim }),
    evidence: order.evidence,
  });
  const own = String(order.requestId);
  const others = [rebuilt(content.claim + 2, own), rebuilt(content.claim + 4, newId('transfer'))];
  const outcomes: Carried[] = [];
  for (const one of [order, ...others]) {
    const made = await archiveFor(scene, one);
    if (made === undefined) return undefined;
    outcomes.push('refused' in made ? made : await carry(vault.device, made.text, scene.judge));
  }
  const groupId = newGroup(random);
  const requests = [order, ...others].flatMap((one) => {
    const message = asVouch(one, vault.place.storeId, groupId);
    const key = poolKeyOf(vault, order);
    return message && key ? [requestOf(message, key, forgedVouch(vault, message, groupId, new Date().toISOString()))] : [];
  });
  const distinct = requests.filter(({ requestId }, at) => requests.findIndex((one) => one.requestId === requestId) === at);
  for (const group of [distinct, requests])
    outcomes.push(await carry(twin, signedByThief(vault, signingInput(vault, groupId, group)), twinJudge));
  return outcomes;
}

/** The clock of the device is wrong by years, or the vouch is dated years away. */
async function otherDate(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const { random, genuine, vault, judge } = scene;
  const away = new Date(Date.now() + random.oneOf([-12, -3, -1, 1, 3, 12]) * YEAR_MS);
  const made = await honestArchive(scene, random.oneOf([genuine, scene.other]).order);
  if (made === undefined) return undefined;
  const onDevice = 'refused' in made ? made : await carry(vault.device, made.text, judge, () => away);
  const lapsed = { dateIssued: new Date(away.getTime() - 1_000).toISOString(), notAfter: away.toISOString() };
  const forged = { dateVouched: away.toISOString(), input: random.oneOf([{}, lapsed]) };
  return [onDevice, ...((await throughThief(scene, genuine.order, forged, random.share() < 0.5 ? () => away : undefined)) ?? [])];
}

/** Another key of the fleet, or another index, at the place of the key. */
async function otherKey(scene: FleetScene): Promise<readonly Carried[] | undefined> {
  const { vault, random, genuine, twin, twinJudge } = scene;
  const groupId = newGroup(random);
  const message = asVouch(genuine.order, vault.place.storeId, groupId);
  const own = poolKeyOf(vault, genuine.order);
  if (!message || !own) return undefined;
  const thieving = random.oneOf(vault.keys.filter(({ publicKey }) => publicKey !== own.publicKey));
  const key = random.oneOf([
    thieving,
    { ...own, index: thieving.index },
    { ...own, index: 2 ** 20 },
    { ...thieving, publicKey: own.publicKey },
  ]);
  const vouched = forgedVouch(vault, message, groupId, new Date().toISOString());
  const input: FleetInput = signingInput(vault, groupId, [requestOf(message, key, vouched)]);
  return [await carry(twin, signedByThief(vault, input), twinJudge)];
}

export const ARCHIVE_ATTACKS: readonly FleetAttack[] = [
  { kind: 'archive: edited text', weight: 3, make: changing(editText) },
  { kind: 'archive: other group, store or organisation', weight: 2, make: changing(otherPlace) },
  { kind: 'archive: other signer', weight: 1, make: changing(otherSigner) },
  { kind: 'archive: parts of two', weight: 2, make: spliced },
  { kind: 'archive: vouch of another group', weight: 1, make: movedVouch },
  { kind: 'archive: old manifest', weight: 1, make: oldManifest },
  { kind: 'archive: again, and on two devices', weight: 1, make: replayed },
  {
    kind: 'archive: old one after the replacement',
    weight: 1,
    of: ['repeated payment', 'repeated payment of coins'],
    make: replaced,
  },
  { kind: 'more vouches than approvals', weight: 2, make: severalVouches },
  { kind: 'dates years away', weight: 1, make: otherDate },
  { kind: 'other key of the fleet', weight: 1, make: otherKey },
];
