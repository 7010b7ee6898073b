import type { FleetKind } from './fleets';

/** Dates are ISO 8601. */
export type MailData = {
  readonly RegistrationCode: CodeMail;
  readonly LoginCode: CodeMail;
  readonly RecoveryCode: CodeMail;
  /**
   * Sent to the user and all full administrators. The recovery can be stopped before `dateEffective`, and completed from then
   * on.
   */
  readonly RecoveryStarted: { readonly username: string; readonly dateEffective: string };
  /**
   * Sent to the user and all full administrators when an operator has begun a recovery. The code is valid from `dateEffective`
   * to `dateExpires`. The recovery can be stopped until the code is used.
   */
  readonly ReissueStarted: { readonly username: string; readonly dateEffective: string; readonly dateExpires: string };
  readonly RecoveryStopped: { readonly username: string };
  readonly RecoveryCompleted: { readonly username: string };
  /** Sent to every full administrator: a setting that weakens security was switched on and takes effect at `dateEffective`. */
  readonly SettingSwitchedOn: { readonly setting: string; readonly by: string; readonly dateEffective: string };
  readonly UserRegistered: { readonly username: string };
  /**
   * These three mails are sent to an approver: when the approval is requested, while the vote is missing, and when an escalation
   * adds the approver.
   */
  readonly ApprovalRequested: ApprovalMail;
  readonly ApprovalReminder: ApprovalMail;
  readonly ApprovalEscalated: ApprovalMail;
  /**
   * Sent before the time of a group of fleet operations is over: `FleetReviewDue` to each person who may review the group, and
   * `FleetGroupDue` to each other person who may cancel it.
   */
  readonly FleetGroupDue: FleetMail;
  readonly FleetReviewDue: FleetMail;
};

/** The group is canceled at `dateExpires`, so the mail is useless from then on. */
type FleetMail = {
  readonly groupId: string;
  readonly storeId: string;
  readonly storeName: string;
  readonly kind: FleetKind;
  readonly waitsFor: 'Output' | 'Review';
  readonly dateExpires: string;
};

/** Contains neither amounts nor addresses: approvers read both on the page where they sign. `what` is a noun with its article. */
type ApprovalMail = {
  readonly approvalId: string;
  readonly what: string;
  readonly initiator: string;
  readonly rejectsItselfAt: string | null;
};

type CodeMail = { readonly code: string; readonly dateExpires: string };

/** The names are durable, because stored mails contain these names. */
export type MailTemplate = keyof MailData;

export type Mail = {
  [T in MailTemplate]: { readonly template: T; readonly data: MailData[T] };
}[MailTemplate] & {
  /** The user whom the mail concerns; the recipient is determined only by `to`. */
  readonly userId: string;
  readonly to: string;
};

/** When a mail ends, the service erases the content of the mail. */
export type MailStatus = 'Waiting' | MailEnd;

/** `Refused`: the addressee's server refused the mail permanently. `Expired`: no server accepted the mail in time. */
export const MAIL_ENDS = ['Sent', 'Refused', 'Expired'] as const;
export type MailEnd = (typeof MAIL_ENDS)[number];
