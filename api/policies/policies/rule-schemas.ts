import { z } from 'zod';
import { invariant } from '../../../domain/errors';
import { RULES } from '../../../policy/rules';

type EveryRule = (typeof RULES)[keyof typeof RULES];

const isOn =
  <A extends EveryRule['activity']>(activity: A) =>
  (rule: EveryRule): rule is Extract<EveryRule, { activity: A }> =>
    rule.activity === activity;

const every = Object.values<EveryRule>(RULES);
const [signing, ...othersOnSigning] = every.filter(isOn('Wallets:Sign')).map((rule) => rule.schema(z));
const [incoming, ...othersOnIncoming] = every.filter(isOn('Wallets:IncomingTransaction')).map((rule) => rule.schema(z));
invariant(signing && incoming, 'some rule judges each activity');

export const SignRule = z.discriminatedUnion('kind', [signing, ...othersOnSigning]).meta({
  id: 'SigningPolicyRule',
  description: 'A rule of a policy on `Wallets:Sign`. A rule that needs a fact that is unknown triggers',
});
/** A single rule is not wrapped in a union, because the published interface has no union with one member. */
export const IncomingRule =
  othersOnIncoming.length === 0 ? incoming : z.discriminatedUnion('kind', [incoming, ...othersOnIncoming]);
export const AlwaysTrigger = RULES.AlwaysTrigger.schema(z);
