import type { Activity, ApprovalGroup, NoticeKind } from '../../domain/approvals';
import { CHANGES, type ChangeKind } from '../../domain/change-requests';
import { MINUTE_MS } from '../../domain/durations';
import { invariant } from '../../domain/errors';
import type { Mail } from '../../domain/mails';
import { settingsOf } from '../../domain/settings';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { ApprovalNoticeEntity } from '../../entities/approvals/approval-notice.entity';
import { type NewNotice, noticeStore } from '../../entities/approvals/notice.store';
import type { Reader, Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { UserEntity } from '../../entities/users/user.entity';
import { seatsAt, standingsOf } from '../../policy/approvals';
import { mailable, queueMail } from '../mails/mails';
import type { IdentityServices } from '../users/identity-services';
import { settleApproval, wakeHeld } from './ends';

type NextNotice = { readonly nextNoticeInMs?: number };

export async function planNotices(
  tx: Tx,
  approvalId: string,
  groups: readonly ApprovalGroup[],
  reminderAfterMinutes: number | undefined,
): Promise<NextNotice> {
  const { settings } = await organizationStore.row(tx, tx.orgId);
  const now = await tx.clock();
  const notices: NewNotice[] = groups.flatMap(({ escalation }, groupIndex) =>
    escalation === undefined ? [] : [{ kind: 'Escalation', groupIndex, dateDue: new Date(escalation.from) }],
  );
  if (settingsOf(settings).approvalMails) {
    notices.push({ kind: 'Request', groupIndex: 0, dateDue: now });
    if (reminderAfterMinutes !== undefined) {
      notices.push({ kind: 'Reminder', groupIndex: 0, dateDue: new Date(now.getTime() + reminderAfterMinutes * MINUTE_MS) });
    }
  }
  await noticeStore.add(tx, approvalId, notices);
  return nextOf(notices, now);
}

/** `nextNoticeInMs` is absent if all notices have been sent. */
export async function nextNotice(reader: Reader, approvalId: string, now: Date): Promise<NextNotice> {
  return nextOf(await noticeStore.open(reader, approvalId), now);
}

/**
 * Queues the mails and marks the notices as sent in one transaction, so that no voter is notified twice. `settleApproval` runs
 * first, because an escalation that has begun adds voters to a group. These voters may already have voted for other groups, and
 * their votes may now decide the approval.
 */
export async function sendNotices(
  tx: Tx,
  services: Pick<IdentityServices, 'mailContents'>,
  approvalId: string,
): Promise<NextNotice> {
  const locked = await approvalStore.lock(tx, approvalId);
  invariant(locked, 'the approval of a held activity exists');
  const row = await settleApproval(tx, locked);
  if (row.status !== 'Pending') {
    if (locked.status === 'Pending') await wakeHeld(tx, row);
    return {};
  }
  const now = await tx.clock();
  const open = await noticeStore.open(tx, approvalId);
  const due = open.filter(({ dateDue }) => dateDue <= now);
  const { settings } = await organizationStore.row(tx, tx.orgId);
  if (settingsOf(settings).approvalMails) await mailDue(tx, services, row, due, now);
  for (const { kind, groupIndex } of due) await noticeStore.markSent(tx, approvalId, kind, groupIndex);
  return nextOf(
    open.filter((notice) => !due.includes(notice)),
    now,
  );
}

const TEMPLATES = {
  Request: 'ApprovalRequested',
  Reminder: 'ApprovalReminder',
  Escalation: 'ApprovalEscalated',
} as const satisfies Record<NoticeKind, Mail['template']>;

async function mailDue(
  tx: Tx,
  services: Pick<IdentityServices, 'mailContents'>,
  row: ApprovalEntity,
  due: readonly ApprovalNoticeEntity[],
  now: Date,
): Promise<void> {
  const votes = await approvalStore.votes(tx, [row.id]);
  const standings = standingsOf(row.groups, votes, now);
  const waiting = row.groups.map((group, index) => ({ group, isOpen: (standings[index]?.have ?? 0) < group.quorum }));
  const told = new Set(votes.map(({ userId }) => userId));
  const initiator = await tx.row(UserEntity, 'WHERE t.id = $1', [row.initiatorId]);
  const data = {
    approvalId: row.id,
    what: whatOf(row.activity),
    initiator: initiator?.name ?? row.initiatorId,
    rejectsItselfAt: row.dateExpires?.toISOString() ?? null,
  };
  for (const { kind, groupIndex } of due) {
    const asked = waiting
      .filter(({ isOpen }, index) => isOpen && (kind !== 'Escalation' || index === groupIndex))
      .flatMap(({ group }) => (kind === 'Escalation' ? (group.escalation?.voterIds ?? []) : seatsAt(group, now).voterIds));
    for (const { id, username } of await mailable(tx, asked)) {
      // After a long outage several notices are due at once; each person then gets only one mail.
      if (told.has(id)) continue;
      told.add(id);
      await queueMail(tx, services, { template: TEMPLATES[kind], data, userId: id, to: username });
    }
  }
}

function whatOf(activity: Activity): string {
  if ('transferRequest' in activity) return 'a transfer';
  if ('transactionRequest' in activity) return 'a transaction';
  if ('signatureRequest' in activity) return 'a signature';
  return 'changeRequest' in activity ? CHANGES[activity.changeRequest['kind'] as ChangeKind].words : 'what has come in';
}

function nextOf(notices: readonly Pick<NewNotice, 'dateDue'>[], now: Date): NextNotice {
  if (notices.length === 0) return {};
  const next = Math.min(...notices.map(({ dateDue }) => dateDue.getTime()));
  return { nextNoticeInMs: Math.max(0, next - now.getTime()) };
}
