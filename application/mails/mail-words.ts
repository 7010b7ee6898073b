import type { FleetKind } from '../../domain/fleets';
import type { Mail, MailData, MailTemplate } from '../../domain/mails';

/** `pageUrl` is the page where codes are entered. */
type Setting = { readonly orgId: string; readonly orgName: string; readonly to: string; readonly pageUrl: string | undefined };
type Words = { readonly subject: string; readonly lines: readonly string[] };
type Writer<T extends MailTemplate> = (data: MailData[T], setting: Setting) => Words;

const minute = (date: string): string => `${new Date(date).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const codeLines = (what: string, { code, dateExpires }: MailData['LoginCode'], { orgId, to, pageUrl }: Setting, view = '') => [
  `${what}: ${code}`,
  `User name: ${to}`,
  `Organisation: ${orgId}`,
  '',
  `It can be used once, until ${minute(dateExpires)}.${pageUrl === undefined ? '' : ` Enter it at ${pageUrl}${view}`}`,
];

const approvalLines = (why: string, { approvalId, rejectsItselfAt }: MailData['ApprovalRequested'], { pageUrl }: Setting) => [
  why,
  '',
  `Approval: ${approvalId}`,
  rejectsItselfAt === null ? 'It waits until it is decided.' : `It is rejected automatically at ${minute(rejectsItselfAt)}.`,
  `Read what it is about and decide after logging in${pageUrl === undefined ? '.' : ` at ${pageUrl}#approval/${approvalId}`}`,
];

const FLEET_GROUPS: Readonly<Record<FleetKind, string>> = {
  Genesis: 'The genesis',
  Clone: 'The clone of a device',
  KeyHarvest: 'The key harvest',
  AddProvisioner: 'The addition of a provisioner',
  AddMacUser: 'The addition of an operator',
  OnchainSign: 'A group of signatures',
  ProofOfControl: 'The proof of control',
};
const FLEET_WAITS = { Output: 'the output of a device', Review: 'a review' } as const satisfies Record<
  MailData['FleetGroupDue']['waitsFor'],
  string
>;

const fleetSubject = ({ kind, storeName, dateExpires }: MailData['FleetGroupDue']) =>
  `${FLEET_GROUPS[kind]} of ${storeName} is canceled at ${minute(dateExpires)} without an outcome`;

const fleetLines = (task: string, data: MailData['FleetGroupDue'], { orgName, pageUrl }: Setting) => [
  `${FLEET_GROUPS[data.kind]} of the key store ${data.storeName} in ${orgName} waits for ${FLEET_WAITS[data.waitsFor]}.`,
  `Without an outcome, the service cancels it at ${minute(data.dateExpires)}.`,
  '',
  `Group: ${data.groupId}`,
  `${task} after logging in${pageUrl === undefined ? '.' : ` at ${pageUrl}#group/${data.storeId}/${data.groupId}`}`,
];

const WRITERS: { readonly [T in MailTemplate]: Writer<T> } = {
  RegistrationCode: (data, setting) => ({
    subject: `Your registration code for ${setting.orgName}`,
    lines: [
      `You were invited to ${setting.orgName}.`,
      '',
      ...codeLines('Registration code', data, setting, `#register/${setting.orgId}/${encodeURIComponent(setting.to)}`),
      '',
      'Anyone who has the code can register in your place: do not share it. If you did not expect this mail, delete it.',
    ],
  }),
  LoginCode: (data, setting) => ({
    subject: `Your login code for ${setting.orgName}`,
    lines: [
      ...codeLines('Login code', data, setting),
      '',
      'If you did not request it, delete this mail: the code alone is not enough to log in.',
    ],
  }),
  RecoveryCode: (data, setting) => ({
    subject: `Your recovery code for ${setting.orgName}`,
    lines: [
      ...codeLines('Recovery code', data, setting, `#recover/${setting.orgId}/${encodeURIComponent(setting.to)}`),
      '',
      'If you did not request it, someone has tried to replace your credentials: tell an administrator of your organisation.',
      'The code alone is not enough for that; the recovery key is needed too.',
    ],
  }),
  RecoveryStarted: ({ username, dateEffective }, { orgName, pageUrl }) => ({
    subject: `A recovery was started in ${orgName}`,
    lines: [
      `The credentials of ${username} in ${orgName} are about to be replaced.`,
      `From ${minute(dateEffective)} on the new credentials are valid, and all earlier credentials are void.`,
      '',
      `Until then ${username} or an administrator can stop the recovery after logging in${pageUrl === undefined ? '.' : ` at ${pageUrl}`}`,
    ],
  }),
  ReissueStarted: ({ username, dateEffective, dateExpires }, { orgName, pageUrl }) => ({
    subject: `An operator has begun a recovery in ${orgName}`,
    lines: [
      `An operator of the service has made a code with which ${username} in ${orgName} can register new credentials.`,
      `The code can be used once, from ${minute(dateEffective)} to ${minute(dateExpires)}. Using it voids all earlier credentials of ${username}.`,
      '',
      `Until the code is used, ${username} or an administrator can stop the recovery after logging in${pageUrl === undefined ? '.' : ` at ${pageUrl}`}`,
    ],
  }),
  RecoveryStopped: ({ username }, { orgName }) => ({
    subject: `A recovery was stopped in ${orgName}`,
    lines: [`The recovery of ${username} in ${orgName} was stopped. The credentials stay as they are.`],
  }),
  RecoveryCompleted: ({ username }, { orgName }) => ({
    subject: `Credentials were replaced in ${orgName}`,
    lines: [
      `The credentials of ${username} in ${orgName} were replaced by a recovery. All earlier credentials and all tokens are void.`,
      '',
      'If this was not meant to happen, tell an administrator of your organisation at once.',
    ],
  }),
  ApprovalRequested: (data, setting) => ({
    subject: `${capital(data.what)} waits for your approval in ${setting.orgName}`,
    lines: approvalLines(`${data.initiator} requests ${data.what}, which needs your approval.`, data, setting),
  }),
  ApprovalReminder: (data, setting) => ({
    subject: `${capital(data.what)} still waits for your approval in ${setting.orgName}`,
    lines: approvalLines(`${data.initiator} has requested ${data.what}. You have not decided about it yet.`, data, setting),
  }),
  ApprovalEscalated: (data, setting) => ({
    subject: `${capital(data.what)} now waits for your approval in ${setting.orgName}`,
    lines: approvalLines(
      `${data.initiator} has requested ${data.what}. The first approvers have not decided in time, so you may do so.`,
      data,
      setting,
    ),
  }),
  FleetGroupDue: (data, setting) => ({
    subject: fleetSubject(data),
    lines: fleetLines('Read its state, or cancel it,', data, setting),
  }),
  FleetReviewDue: (data, setting) => ({
    subject: fleetSubject(data),
    lines: fleetLines(
      'Compare the fingerprints with the paper of the ceremony, and approve or reject the output,',
      data,
      setting,
    ),
  }),
  SettingSwitchedOn: ({ setting, by, dateEffective }, { orgName, pageUrl }) => ({
    subject: `${setting} was switched on in ${orgName}`,
    lines: [
      `${by} has switched on the setting ${setting} of ${orgName}. It takes effect at ${minute(dateEffective)}.`,
      '',
      `If this was not meant to happen, switch it off after logging in${pageUrl === undefined ? '' : ` at ${pageUrl}`} and freeze everything that the setting could affect.`,
    ],
  }),
  UserRegistered: ({ username }, { orgName }) => ({
    subject: `You are registered in ${orgName}`,
    lines: [
      `${username} has registered in ${orgName}.`,
      '',
      'If this was not you, someone has read your mail: tell an administrator of your organisation at once.',
    ],
  }),
};

/** Returns plain text. Line breaks in a name become spaces, so a name cannot add a line. */
export function mailWords(mail: Pick<Mail, 'template' | 'data'>, setting: Setting): { subject: string; text: string } {
  const write = WRITERS[mail.template] as Writer<MailTemplate>;
  const orgName = oneLine(setting.orgName) || setting.orgId;
  const { subject, lines } = write(mail.data, { ...setting, orgName });
  return { subject: oneLine(subject), text: `${lines.map(oneLine).join('\n')}\n` };
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const oneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();
