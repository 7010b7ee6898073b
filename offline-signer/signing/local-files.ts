import { plain } from '../../operator/charters/plain';
import { refuseUnlessAllowed } from '../refused';
import type { Session } from '../session';
import { assertAgreed } from '../typed';
import { type DeviceRules, readRules } from './rules';

/** The text of the charter that people have trusted. Throws `Refused` if the file was exchanged or removed. */
export function trustedCharterText({ open }: Pick<Session, 'open'>): string | undefined {
  const isTrusted = open.isTrusted('charter.json');
  refuseUnlessAllowed(isTrusted, 'charter.json is not as people have trusted it. Use the command "trust-charter" again.');
  return open.textOf('charter.json');
}

const linesOf = (rules: DeviceRules | undefined): readonly string[] =>
  rules === undefined
    ? ['THE RULES OF THIS DEVICE ARE GONE: rules.json is missing. Without rules, the device allows every recipient and amount.']
    : ['NEW RULES in rules.json:', ...JSON.stringify(rules, null, 1).split('\n').map(plain)];

/** Shows rules that are new, changed or missing, and throws `Refused` unless the people at the device wrote them. */
export async function trustedRules({ open, screen }: Session): Promise<DeviceRules | undefined> {
  const text = open.textOf('rules.json');
  const rules = text === undefined ? undefined : readRules(text);
  if (open.isTrusted('rules.json')) return rules;
  screen.say(linesOf(rules));
  await assertAgreed(screen, 'Have you changed the rules of this device, and do you sign by them from now on?');
  open.trustText('rules.json');
  return rules;
}
