import { ActivityFailure, condition, setCurrentDetails } from '@temporalio/workflow';
import type { Hold, HoldGroup } from '../domain/judgements';
import { holdDetails, momentInWords } from './ui-text';

/** Set by the signal that reports that an approval changed. */
export type Wake = { approval: boolean };

/** The status of an approval: pending, or how it ended. */
export type Look<End> = { readonly status: 'Pending' | End; readonly groups: readonly HoldGroup[] };

/** How the workflow reads the decision about the held record, and notifies people. */
export type ApprovalSteps<End> = {
  readonly read: () => Promise<Look<End>>;
  readonly expire: () => Promise<Look<End>>;
  readonly tell: () => Promise<Pick<Hold, 'nextNoticeInMs'>>;
};

/**
 * The times of the deadline and of the next notice, by the clock of this workflow. A time is undefined if no such event is
 * planned.
 */
export type Ahead = { readonly deadline: number | undefined; readonly notice: number | undefined };

export const momentIn = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Date.now() + ms);

/**
 * Waits for the first of three events: a wake-up, the next notice or the deadline. Without a notice and a deadline, only a
 * wake-up ends the wait.
 */
export async function nextOf(isWoken: () => boolean, { deadline, notice }: Ahead): Promise<'Woken' | 'Notice' | 'Deadline'> {
  if (notice !== undefined && (deadline === undefined || notice < deadline)) {
    const ahead = notice - Date.now();
    if (ahead <= 0) return 'Notice';
    return (await condition(isWoken, ahead, { summary: `Notifies approvers at ${momentInWords(notice)}` })) ? 'Woken' : 'Notice';
  }
  if (deadline !== undefined) {
    const left = Math.max(0, deadline - Date.now());
    return (await condition(isWoken, left, { summary: `Is rejected at ${momentInWords(deadline)}` })) ? 'Woken' : 'Deadline';
  }
  await condition(isWoken);
  return 'Woken';
}

/** Ignores the failure of a notice, because a notice that cannot be written must not end the wait for a decision. */
export function untold(error: unknown): Pick<Hold, 'nextNoticeInMs'> {
  if (!(error instanceof ActivityFailure)) throw error;
  return {};
}

export const aheadOf = ({ rejectsItselfAfterMs, nextNoticeInMs }: Hold): Ahead => ({
  deadline: momentIn(rejectsItselfAfterMs),
  notice: momentIn(nextNoticeInMs),
});

/** Waits for people. The votes are in Postgres and a wake-up has no payload, so a lost or duplicate wake-up does no harm. */
export async function decisionOf<End>(
  groups: readonly HoldGroup[],
  { deadline, notice: first }: Ahead,
  wake: Wake,
  { read, expire, tell }: ApprovalSteps<End>,
): Promise<Exclude<End, 'Pending'>> {
  let notice = first;
  setCurrentDetails(holdDetails(groups, deadline));
  for (;;) {
    const next = await nextOf(() => wake.approval, { deadline, notice });
    if (next === 'Notice') {
      notice = momentIn((await tell().catch(untold)).nextNoticeInMs);
      continue;
    }
    wake.approval = false; // before the read, so that a vote during the read is not missed
    const now = next === 'Woken' ? await read() : await expire();
    if (now.status !== 'Pending') return now.status as Exclude<End, 'Pending'>;
    setCurrentDetails(holdDetails(now.groups, deadline));
  }
}
