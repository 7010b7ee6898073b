import { invariant } from '../../domain/errors';
import type { Ask } from '../../domain/judgements';
import { SCREENING_AGE_MAX_MS, type Screening, type ScreeningQuestion, type ScreeningVendor } from '../../domain/screenings';
import type { Tx } from '../../entities/database';
import type { ScreeningEntity } from '../../entities/screenings/screening.entity';
import { screeningStore } from '../../entities/screenings/screening.store';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { canonical } from '../../platform/canonical';
import type { Needs } from '../../policy/needs';
import type { Subject } from '../../policy/types';
import type { WalletSign } from '../policies/evaluate-activity';

type Screenings = { readonly known: readonly Screening[]; readonly asks: readonly Ask[] };

const USER_ID_TEMPLATE = '{{walletId}}';

/**
 * The vendors' answers about the activity, and the questions that must be answered first. An answer is valid for one day, and
 * only for the same question.
 */
export async function screeningsOf(tx: Tx, input: WalletSign, subject: Subject, needs: Needs): Promise<Screenings> {
  if (needs.screenings.length === 0) return { known: [], asks: [] };
  const question = await questionOf(tx, input, subject, needs.userIdTemplate ?? USER_ID_TEMPLATE);
  const known: Screening[] = [];
  const asks: Ask[] = [];
  for (const vendor of needs.screenings) {
    if (question === undefined) {
      known.push({ vendor, result: { kind: 'Unscreenable' } });
      continue;
    }
    const latest = await screeningStore.latest(tx, { activityId: input.activityId, vendor });
    if (latest?.result && (await stillCounts(tx, latest, question))) known.push(asKnown(vendor, latest.result));
    else asks.push({ vendor, screeningId: await askFor(tx, { activityId: input.activityId, vendor, question, latest }) });
  }
  return { known, asks };
}

async function stillCounts(tx: Tx, latest: ScreeningEntity, question: ScreeningQuestion): Promise<boolean> {
  const { dateAnswered } = latest;
  invariant(dateAnswered, 'an answer has its date');
  const ageMs = (await tx.clock()).getTime() - dateAnswered.getTime();
  return ageMs < SCREENING_AGE_MAX_MS && isSame(latest.question, question);
}

type Asking = {
  readonly activityId: string;
  readonly vendor: ScreeningVendor;
  readonly question: ScreeningQuestion;
  readonly latest: ScreeningEntity | undefined;
};

/** The caller has locked the activity's record, so no concurrent call asks the same question. */
async function askFor(tx: Tx, { activityId, vendor, question, latest }: Asking): Promise<string> {
  if (latest && latest.result === null && isSame(latest.question, question)) return latest.id;
  return screeningStore.add(tx, { activityId, vendor, question, attempt: (latest?.attempt ?? 0) + 1 });
}

const isSame = (one: ScreeningQuestion, other: ScreeningQuestion): boolean => canonical(one) === canonical(other);

/** The cast is safe: a row specifies a vendor, and contains an answer in the form that the schema of this vendor allows. */
const asKnown = (vendor: ScreeningVendor, result: Screening['result']): Screening => ({ vendor, result }) as Screening;

/** Undefined if the movement is unknown. */
async function questionOf(
  tx: Tx,
  { movement, initiatorId, received }: WalletSign,
  { walletId, walletTags }: Subject,
  template: string,
): Promise<ScreeningQuestion | undefined> {
  if (movement === null) return undefined;
  const { network, contract, recipients, amountUnits } = movement;
  const wallet = walletId === null ? undefined : await tx.row(WalletEntity, 'WHERE t.id = $1', [walletId]);
  const filled = template
    .replaceAll('{{walletId}}', walletId ?? '')
    .replaceAll('{{walletTags}}', walletTags.join(','))
    .replaceAll('{{initiatorId}}', initiatorId);
  return {
    direction: received ? 'Received' : 'Sent',
    network,
    contract,
    amountUnits: amountUnits.toString(),
    from: received ? received.from : (wallet?.address ?? null),
    to: [...recipients],
    userId: filled,
    ...(received ? { txHash: received.txHash } : {}),
  };
}
