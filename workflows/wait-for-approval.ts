import { ActivityFailure, condition, setCurrentDetails } from '@temporalio/workflow';
import type { Hold, HoldGroup } from '../domain/judgements';
import { holdDetails, momentInWords } from './ui-text';

export type Wake = { approval: boolean };

export type Look<End> = { readonly status: 'Pending' | End; readonly groups: readonly HoldGroup[] };

export type ApprovalSteps<End> = {
  readonly read: () => Promise<Look<End>>;
  readonly expire: () => Promise<Look<End>>;
  readonly tell: () => Promise<Pick<Hold, 'nextNoticeInMs'>>;
};

/** Times by the clock of this workflow; a time is undefined if no such event is planned. */
export type Ahead = { readonly deadline: number | undefined; readonly notice: number | undefined };

export const momentIn = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Date.now() + ms);

/** Without a notice or a deadline, only a wake-up ends the wait. */
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

/** A notice that cannot be written must not end the wait for a decision. */
export function untold(error: unknown): Pick<Hold, 'nextNoticeInMs'> {
  if (!(error instanceof ActivityFailure)) throw error;
  return {};
}

export const aheadOf = ({ rejectsItselfAfterMs, nextNoticeInMs }: Hold): Ahead => ({
  deadline: momentIn(rejectsItselfAfterMs),
  notice: momentIn(nextNoticeInMs),
});

/**
 * Waits until the approval has ended, and notifies the approvers. The votes are in Postgres and a wake-up has no payload, so a
 * duplicate wake-up does no harm.
 */
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
