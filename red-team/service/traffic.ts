import { z } from 'zod';
import type { Random } from '../../drill/chaos/random';
import { until } from '../../drill/faults/polling';
import { digestOf } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import { evmEffect, payloadEffect } from '../effects';
import { type Company, type CompanyWallet, LISTED_RECIPIENT, type WalletUse } from './company';
import type { Person, Reply } from './person';
import type { Verdicts } from './verdicts';

type Wanted = { readonly to: string; readonly amount: bigint };

/** A person's request, as the attacker sees it in the rows. */
export type Request = {
  readonly form: 'transfers' | 'transactions' | 'signatures';
  readonly id: string;
  readonly wallet: CompanyWallet;
  readonly approvalId: string | undefined;
  /** The requested payment; absent for a request to sign. */
  readonly wanted: Wanted | undefined;
  /** Whether the request lacks votes or a release that people will never give, so that its content must never be signed. */
  readonly isForbidden: boolean;
};

export type Play = {
  readonly company: Company;
  readonly verdicts: Verdicts;
  readonly random: Random;
  /** The number of the story, which is unique in a run. */
  readonly number: number;
  readonly tell: (request: Request) => void;
  /** The time that people wait for the outcome of a request. */
  readonly patienceMs: number;
};
/** The end of a story. `hindered` is the reason why the story did not end as people intended. */
export type Ending = 'Done' | { readonly hindered: string };

const Answer = z.object({ id: z.string(), status: z.string(), approvalId: z.string().optional(), reason: z.string().optional() });
const Evidence = z.object({
  digest: z.string(),
  committed: z.looseObject({ activityId: z.string(), envelope: z.looseObject({}) }),
});
type Committed = z.output<typeof Evidence>['committed'];
type Envelope = Committed['envelope'];

const ENDED = ['Confirmed', 'Signed', 'Failed', 'Rejected'];
const FROZEN = 409;
const AMOUNT_BASE = 1_000_000n;
const hindered = (what: string, reply: unknown): Ending => ({ hindered: `${what}: ${JSON.stringify(reply).slice(0, 300)}` });
const addressOf = (text: string) => `0x${sha256Hex(text).slice(0, 40)}`;
const amountOf = ({ number }: Play) => AMOUNT_BASE + BigInt(number);
const requesterOf = ({ company, random }: Play) => random.oneOf([company.people.ada, company.people.ada, company.people.ben]);

/** Returns two officers other than the requester. */
function votersOf({ company: { people }, random }: Play, requester: Person): readonly [Person, Person] {
  const [first, second] = [people.ben, people.cyd, people.dan].filter((one) => one !== requester);
  if (!first || !second) throw new Error('there are three officers');
  return random.share() < 0.5 ? [first, second] : [second, first];
}

/** The person checks the content, and signs only the expected content. */
async function decide(
  by: Person,
  approvalId: string,
  isWanted: (committed: Committed) => boolean,
  value: string,
): Promise<Reply> {
  const { status, body } = await by.get(`/v2/policy-approvals/${approvalId}/evidence`);
  const evidence = Evidence.safeParse(body).data;
  if (!evidence) return { status, body };
  const isShown = digestOf(evidence.committed as Parameters<typeof digestOf>[0]) === evidence.digest;
  if (!isShown || !isWanted(evidence.committed)) return { status: 0, body: 'the approval shows something else' };
  return by.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value }, evidence.digest);
}

const pays =
  (wallet: CompanyWallet, { to, amount }: Wanted) =>
  (envelope: Envelope) => {
    const said = z.object({ from: z.string(), to: z.string(), amountUnits: z.string() }).safeParse(envelope).data;
    return said?.from.toLowerCase() === wallet.address && said.to.toLowerCase() === to && BigInt(said.amountUnits) === amount;
  };

async function endOf(by: Person, path: string, patienceMs: number) {
  const find = async () => {
    const now = Answer.safeParse((await by.get(path)).body).data;
    return now && ENDED.includes(now.status) ? now : undefined;
  };
  return until('the request has ended', find, patienceMs).catch(() => undefined);
}

async function endsAs(status: string, by: Person, path: string, play: Play): Promise<Ending> {
  const end = await endOf(by, path, play.patienceMs);
  return end?.status === status ? 'Done' : hindered(`${path.split('/')[3]} ended`, end ?? 'not in time');
}

type Asking = Pick<Request, 'form' | 'wallet' | 'wanted'> & {
  readonly body: object;
  readonly isForbidden?: boolean;
  /** Whether a policy holds the request. The service then soon returns the approval for which the request waits. */
  readonly isHeld?: boolean;
};

async function ask(by: Person, { tell, patienceMs }: Play, { isForbidden = false, isHeld = false, body, ...of }: Asking) {
  const { form, wallet } = of;
  const path = form === 'signatures' ? `/keys/${wallet.keyId}/signatures` : `/wallets/${wallet.id}/${form}`;
  const reply = await by.change('POST', path, body);
  const asked = Answer.safeParse(reply.body).data;
  if (!asked) return { reply };
  const { id } = asked;
  const isJudged = ({ approvalId, status }: typeof asked) => approvalId !== undefined || ENDED.includes(status);
  const find = async () => {
    const now = Answer.safeParse((await by.get(`${path}/${id}`)).body).data;
    return now && isJudged(now) ? now : undefined;
  };
  const judged =
    !isHeld || isJudged(asked) ? asked : await until('the request is judged', find, patienceMs).catch(() => undefined);
  tell({ ...of, id, approvalId: judged?.approvalId, isForbidden });
  return { asked: judged ?? asked, path: `${path}/${id}` };
}

const payment = ({ to, amount }: Wanted) => ({ kind: 'Native', to, amount: amount.toString() });

/** A payment that no policy holds. */
async function pay(
  play: Play,
  use: WalletUse,
  wanted: Wanted,
  form: 'transfers' | 'transactions' = 'transfers',
): Promise<Ending> {
  const wallet = play.company.wallets[use];
  const by = requesterOf(play);
  play.verdicts.permit(evmEffect(wallet.address, wanted.to, wanted.amount, '0x'));
  const raw = { kind: 'Evm', to: wanted.to, value: wanted.amount.toString() };
  const { asked, reply, path } = await ask(by, play, {
    form,
    wallet,
    wanted,
    body: form === 'transfers' ? payment(wanted) : raw,
  });
  return asked ? endsAs('Confirmed', by, path, play) : hindered(`${use} asked`, reply);
}

/** The votes of the two officers: both approve, one approves, or one denies. */
type Votes = 'Both' | 'One' | 'Denied';

async function payHeld(play: Play, use: WalletUse, wanted: Wanted, votes: Votes): Promise<Ending> {
  const wallet = play.company.wallets[use];
  const by = requesterOf(play);
  const content = {
    form: 'transfers' as const,
    wallet,
    wanted,
    body: payment(wanted),
    isForbidden: votes !== 'Both',
    isHeld: true,
  };
  const { asked, reply, path } = await ask(by, play, content);
  if (!asked?.approvalId) return hindered(`${use} asked`, reply ?? asked);
  const { id, approvalId } = asked;
  const isWanted = ({ activityId, envelope }: Committed) => activityId === id && pays(wallet, wanted)(envelope);
  const [first, second] = votersOf(play, by);
  if (votes === 'Denied') {
    const denied = await decide(first, approvalId, isWanted, 'Denied');
    return denied.status === 200 ? endsAs('Rejected', by, path, play) : hindered('denied', denied);
  }
  const approved = await decide(first, approvalId, isWanted, 'Approved');
  if (approved.status !== 200) return hindered('first vote', approved);
  if (votes === 'One') return 'Done';
  play.verdicts.permit(evmEffect(wallet.address, wanted.to, wanted.amount, '0x'));
  const again = await decide(second, approvalId, isWanted, 'Approved');
  return again.status === 200 ? endsAs('Confirmed', by, path, play) : hindered('second vote', again);
}

async function signMessage(play: Play, use: 'free' | 'held'): Promise<Ending> {
  const wallet = play.company.wallets[use];
  const by = requesterOf(play);
  const message = `0x${Buffer.from(`message ${play.number} of ${wallet.id}`).toString('hex')}`;
  const permit = () => play.verdicts.permit(payloadEffect(wallet.address, { kind: 'Message', messageHex: message }));
  if (use === 'free') permit();
  const { asked, reply, path } = await ask(by, play, {
    ...{ form: 'signatures', wallet, wanted: undefined, body: { kind: 'Message', message }, isHeld: use === 'held' },
  });
  if (!asked) return hindered('message asked', reply);
  if (use === 'held') {
    const { id, approvalId } = asked;
    if (approvalId === undefined) return hindered('message asked', asked);
    const isWanted = ({ activityId, envelope }: Committed) => activityId === id && JSON.stringify(envelope).includes(message);
    const [first, second] = votersOf(play, by);
    const approved = await decide(first, approvalId, isWanted, 'Approved');
    if (approved.status !== 200) return hindered('first vote on a message', approved);
    permit();
    const again = await decide(second, approvalId, isWanted, 'Approved');
    if (again.status !== 200) return hindered('second vote on a message', again);
  }
  return endsAs('Signed', by, path, play);
}

/**
 * A payment from a frozen wallet. The service refuses the payment at once, unless the attacker has lifted the freeze in the rows.
 * The signer refuses the payment in any case.
 */
async function payFrozen(play: Play): Promise<Ending> {
  const by = requesterOf(play);
  const wanted = { to: addressOf(`frozen ${play.number}`), amount: amountOf(play) };
  const { asked, reply } = await ask(by, play, {
    ...{ form: 'transfers', wallet: play.company.wallets.frozen, wanted, body: payment(wanted), isForbidden: true },
  });
  return asked || reply.status === FROZEN ? 'Done' : hindered('frozen asked', reply);
}

async function tagSpare({ company: { people, wallets }, verdicts, number }: Play): Promise<Ending> {
  const tag = `tag-${number}`;
  verdicts.permitTag(tag);
  const reply = await people.ada.change('PUT', `/wallets/${wallets.spare.id}/tags`, { tags: [tag] });
  return reply.status === 200 ? 'Done' : hindered('tag', reply);
}

const friend = (play: Play): Wanted => ({ to: addressOf(`friend ${play.number}`), amount: amountOf(play) });
const LARGE = 10n ** 15n;

export type Story = { readonly name: string; readonly weight: number; readonly play: (play: Play) => Promise<Ending> };

/** The actions of people. The content of each action is unique, so that each content may take effect only once. */
export const STORIES: readonly Story[] = [
  { name: 'free payment', weight: 6, play: (play) => pay(play, play.random.oneOf(['free', 'freeToo']), friend(play)) },
  { name: 'raw transaction', weight: 3, play: (play) => pay(play, 'freeToo', friend(play), 'transactions') },
  {
    name: 'approved payment',
    weight: 6,
    play: (play) => payHeld(play, play.random.oneOf(['held', 'heldToo']), friend(play), 'Both'),
  },
  { name: 'denied payment', weight: 3, play: (play) => payHeld(play, 'held', friend(play), 'Denied') },
  { name: 'half approved payment', weight: 5, play: (play) => payHeld(play, 'heldToo', friend(play), 'One') },
  { name: 'listed payment', weight: 2, play: (play) => pay(play, 'listed', { ...friend(play), to: LISTED_RECIPIENT }) },
  {
    name: 'limited payment',
    weight: 2,
    play: (play) => pay(play, 'limited', { ...friend(play), amount: LARGE + amountOf(play) }),
  },
  { name: 'paced payment', weight: 1, play: (play) => pay(play, 'paced', friend(play)) },
  { name: 'frozen payment', weight: 1, play: payFrozen },
  { name: 'message', weight: 2, play: (play) => signMessage(play, 'free') },
  { name: 'approved message', weight: 2, play: (play) => signMessage(play, 'held') },
  { name: 'tag', weight: 0.5, play: tagSpare },
];

/** A refusal to sign stops the story, as a failed call does. */
export async function tellStory({ name, play: tell }: Story, play: Play): Promise<Ending> {
  try {
    return await tell(play);
  } catch (error) {
    return hindered(name, error instanceof Error ? error.message : 'unknown');
  }
}
