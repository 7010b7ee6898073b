import type { Facts, RuleOutcome } from '../types';
import { stops } from './parts/actions';
import { once } from './parts/members';
import type { PolicyRule, RuleOf } from './rule';

type TransactionRecipientWhitelist = RuleOf<'TransactionRecipientWhitelist'>;

const WHITELIST_ADDRESSES_MAX = 10_000;
const REGISTRY_ADDRESSES_MAX = 1_000;
const ADDRESS_LENGTH_MAX = 256;

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
/** The bit that distinguishes lower-case from upper-case letters. Digits always have this bit. */
const SMALL_LETTER = 0x20;

/** A payment to the sender alone does not trigger. An unknown recipient triggers. */
function judge({ configuration }: TransactionRecipientWhitelist, facts: Facts): RuleOutcome {
  if (facts.paysNobody === true) return { triggered: false, reason: 'The transaction pays only its sender' };
  if (facts.recipients.length === 0) return { triggered: true, reason: 'The recipient of the transaction is not known' };
  const { addresses, registryAddressIds = [] } = configuration;
  const registered = registryAddressIds.flatMap((id) => facts.registryAddresses?.[id] ?? []);
  const stranger = facts.recipients.find((recipient) => !isListed(recipient, addresses) && !isListed(recipient, registered));
  return stranger === undefined
    ? { triggered: false, reason: 'Every recipient is in the whitelist' }
    : { triggered: true, reason: `Recipient ${stranger} is not in the whitelist` };
}

/**
 * The letter case of an EVM address is only a checksum; in every other format the letter case is part of the address. Scanning
 * the list for a few recipients costs less than building a set of ten thousand addresses.
 */
function isListed(recipient: string, addresses: readonly string[]): boolean {
  if (addresses.includes(recipient)) return true;
  if (!EVM_ADDRESS.test(recipient)) return false;
  const lower = recipient.toLowerCase();
  const end = lower.length - 1;
  const last = lower.charCodeAt(end);
  return addresses.some(
    (address) =>
      address.length === lower.length &&
      // Compares the last digit first, which excludes most entries at a tenth of the cost.
      (address.charCodeAt(end) | SMALL_LETTER) === last &&
      address.toLowerCase() === lower,
  );
}

export const transactionRecipientWhitelist = {
  schema: once((z) =>
    z
      .strictObject({
        kind: z.literal('TransactionRecipientWhitelist'),
        configuration: z.strictObject({
          addresses: z
            .array(z.string().min(1).max(ADDRESS_LENGTH_MAX))
            .max(WHITELIST_ADDRESSES_MAX)
            .describe('EVM addresses are compared without regard to case, all others exactly'),
          registryAddressIds: z
            .array(z.string().min(1).max(64))
            .min(1)
            .max(REGISTRY_ADDRESSES_MAX)
            .exactOptional()
            .describe(
              'Entries of the address registry whose current addresses are allowed too; an entry that is deleted, ' +
                'or still in its cooling period, contributes no address',
            ),
        }),
      })
      .meta({
        id: 'PolicyRuleTransactionRecipientWhitelist',
        description:
          'Triggers if one of the recipients is not listed, or if the recipients are unknown; a payment to the sender alone passes',
      }),
  ),
  activity: 'Wallets:Sign',
  actionFault: stops,
  judgesFees: false,
  needs: ({ configuration: { registryAddressIds } }) => ({ registryAddressIds }),
  judge,
  judgeChange: null,
} as const satisfies PolicyRule<TransactionRecipientWhitelist>;
