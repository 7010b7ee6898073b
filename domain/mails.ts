/** The data of each mail in addition to its organisation and its addressee. Dates are ISO 8601. */
export type MailData = {
  readonly RegistrationCode: CodeMail;
  readonly LoginCode: CodeMail;
  readonly RecoveryCode: CodeMail;
  /**
   * Sent to the user and all full administrators. The recovery can be stopped before `dateEffective`. From `dateEffective` on,
   * the recovery can be completed.
   */
  readonly RecoveryStarted: { readonly username: string; readonly dateEffective: string };
  /**
   * Sent to the user and all full administrators. An operator has begun a recovery. The code of the recovery is valid from
   * `dateEffective` to `dateExpires`, and the recovery can be stopped until the code is used.
   */
  readonly ReissueStarted: { readonly username: string; readonly dateEffective: string; readonly dateExpires: string };
  readonly RecoveryStopped: { readonly username: string };
  readonly RecoveryCompleted: { readonly username: string };
  /** Sent to every full administrator: a setting that weakens security was switched on and takes effect at `dateEffective`. */
  readonly SettingSwitchedOn: { readonly setting: string; readonly by: string; readonly dateEffective: string };
  readonly UserRegistered: { readonly username: string };
  /**
   * Sent to an approver. `ApprovalRequested` is sent at the request of the approval, and `ApprovalReminder` while the vote is
   * missing. `ApprovalEscalated` is sent when an escalation adds the approver because others were late.
   */
  readonly ApprovalRequested: ApprovalMail;
  readonly ApprovalReminder: ApprovalMail;
  readonly ApprovalEscalated: ApprovalMail;
};

/**
 * A mail about an approval contains no amounts and no addresses: approvers read amounts and addresses on the page where they
 * sign. `what` is a noun with its article.
 */
type ApprovalMail = {
  readonly approvalId: string;
  readonly what: string;
  readonly initiator: string;
  readonly rejectsItselfAt: string | null;
};

type CodeMail = { readonly code: string; readonly dateExpires: string };

/** The names of the templates are durable, because stored mails contain these names. */
export type MailTemplate = keyof MailData;

/** One mail before it is sealed. */
export type Mail = {
  [T in MailTemplate]: { readonly template: T; readonly data: MailData[T] };
}[MailTemplate] & {
  /** The user whom the mail concerns. The recipient is determined only by `to`. */
  readonly userId: string;
  /** Exactly one mail address. */
  readonly to: string;
};

/** A mail is `Waiting` until its status becomes one of `MAIL_ENDS`. The service then erases the content of the mail. */
export type MailStatus = 'Waiting' | MailEnd;

/** `Refused`: the addressee's server refused the mail permanently. `Expired`: no server accepted the mail in time. */
export const MAIL_ENDS = ['Sent', 'Refused', 'Expired'] as const;
export type MailEnd = (typeof MAIL_ENDS)[number];
