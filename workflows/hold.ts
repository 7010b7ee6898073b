import { condition, setCurrentDetails } from '@temporalio/workflow';
import type { Hold, HoldStatus } from '../domain/judgements';
import { holdDetails, momentInWords } from './details';

/** Set by the signal that says that an approval changed. */
export type Wake = { approval: boolean };

/** How the workflow asks what people decided about its record. */
type Ask = {
  readonly read: (approvalId: string) => Promise<HoldStatus>;
  readonly expire: (approvalId: string) => Promise<HoldStatus>;
};

/** Without a deadline the wait has no end; answers false when the deadline came first. */
async function wokenBefore(wake: Wake, deadline: number | undefined): Promise<boolean> {
  if (deadline !== undefined) {
    const left = Math.max(0, deadline - Date.now());
    return condition(() => wake.approval, left, { summary: `Rejects itself at ${momentInWords(deadline)}` });
  }
  await condition(() => wake.approval);
  return true;
}

/** Waits for people. The votes are in Postgres; a wake-up carries nothing, so one that is lost or doubled does no harm. */
export async function decisionOf(
  { approvalId, rejectsItselfAfterMs, groups }: Hold,
  wake: Wake,
  { read, expire }: Ask,
): Promise<'Approved' | 'Denied' | 'Expired'> {
  const deadline = rejectsItselfAfterMs === undefined ? undefined : Date.now() + rejectsItselfAfterMs;
  setCurrentDetails(holdDetails(groups, deadline));
  for (;;) {
    const inTime = await wokenBefore(wake, deadline);
    wake.approval = false; // before the read, so that a vote during the read wakes us again
    const now = inTime ? await read(approvalId) : await expire(approvalId);
    if (now.status !== 'Pending') return now.status;
    setCurrentDetails(holdDetails(now.groups, deadline));
  }
}
