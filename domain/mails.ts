/** The data of each mail in addition to its organisation and its addressee. Dates are ISO 8601. */
export type MailData = {
  readonly RegistrationCode: CodeMail;
  readonly LoginCode: CodeMail;
  readonly RecoveryCode: CodeMail;
  /** To everyone concerned: from this date on the recovery can be completed, until then it can be stopped. */
  readonly RecoveryStarted: { readonly username: string; readonly dateEffective: string };
  /**
   * To everyone concerned: an operator has begun a recovery, whose code is valid from the first date to the second and can be stopped until
   * it is used.
   */
  readonly ReissueStarted: { readonly username: string; readonly dateEffective: string; readonly dateExpires: string };
  readonly RecoveryStopped: { readonly username: string };
  readonly RecoveryCompleted: { readonly username: string };
  /** To every full administrator: a setting that weakens security was switched on, with effect from this date. */
  readonly SettingSwitchedOn: { readonly setting: string; readonly by: string; readonly dateEffective: string };
  readonly UserRegistered: { readonly username: string };
  /**
   * To an approver: first when the approval is requested, again when it is still missing, and when an escalation requests it because others
   * were late.
   */
  readonly ApprovalRequested: ApprovalMail;
  readonly ApprovalReminder: ApprovalMail;
  readonly ApprovalEscalated: ApprovalMail;
};

/** Neither amounts nor addresses: the approver reads them where the decision is signed. `what` is a noun with its article. */
type ApprovalMail = {
  readonly approvalId: string;
  readonly what: string;
  readonly initiator: string;
  readonly rejectsItselfAt: string | null;
};

type CodeMail = { readonly code: string; readonly dateExpires: string };

/** Durable names: rows hold them until they are removed. */
export type MailTemplate = keyof MailData;

/** One mail before it is sealed. */
export type Mail = {
  [T in MailTemplate]: { readonly template: T; readonly data: MailData[T] };
}[MailTemplate] & {
  /** The user it concerns; the recipient is determined only by the address. */
  readonly userId: string;
  /** One address and nothing else. */
  readonly to: string;
};

/** `Waiting` until the mail reaches one of the other states, which erases its content. */
export type MailStatus = 'Waiting' | MailEnd;

/** `Refused` permanently by the addressee's server, or `Expired` before a server accepted it. */
export const MAIL_ENDS = ['Sent', 'Refused', 'Expired'] as const;
export type MailEnd = (typeof MAIL_ENDS)[number];
