import type { Rule } from '../../domain/policies';
import type { Facts, RuleOutcome } from '../types';

type TransactionRecipientWhitelist = Extract<Rule, { kind: 'TransactionRecipientWhitelist' }>;

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** The letters of an EVM address are only a checksum; in every other format they are part of the address. */
const comparable = (address: string): string => (EVM_ADDRESS.test(address) ? address.toLowerCase() : address);

/** Triggers when value goes to an address outside the list, or to nobody that could be named. */
export function transactionRecipientWhitelist({ configuration }: TransactionRecipientWhitelist, facts: Facts): RuleOutcome {
  if (facts.recipients.length === 0) return { triggered: true, reason: 'The recipient of the transaction is not known' };
  const { addresses, registryAddressIds = [] } = configuration;
  const registered = registryAddressIds.flatMap((id) => facts.registryAddresses?.[id] ?? []);
  const listed = new Set([...addresses, ...registered].map(comparable));
  const stranger = facts.recipients.find((address) => !listed.has(comparable(address)));
  return stranger === undefined
    ? { triggered: false, reason: 'Every recipient is in the whitelist' }
    : { triggered: true, reason: `Recipient ${stranger} is not in the whitelist` };
}
