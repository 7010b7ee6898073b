import { HOLDER_OPERATIONS } from '../../domain/charters';
import { Refusal } from '../wire/refusal';
import type { CharterWallet, Holder } from './charter';
import { type CharterInForce, charterInForce } from './charter-in-force';

/**
 * The authority over a key that an end user holds, in the form of a charter: the holder is the only member, no policy judges, and
 * no fee sponsor pays. Throws the `Refusal` `NotWithCharter` if the charter in force does not serve end users.
 */
export function heldAuthority(
  { digest, content }: CharterInForce,
  { userId, credentials }: Holder,
  wallets: readonly CharterWallet[],
): CharterInForce {
  const { endUsers, mainnets, seen, v, signerId, organizationId, sequence, previous, dateIssued } = content;
  if (endUsers === undefined) throw new Refusal('NotWithCharter');
  const operations = [...HOLDER_OPERATIONS];
  const holder = {
    userId,
    hand: userId,
    isServiceAccount: false,
    credentials: credentials.map((credential) => ({ ...credential, operations })),
  };
  const own = {
    ...{ v, signerId, organizationId, sequence, previous, dateIssued },
    ...{ members: [holder], wallets: [...wallets], feeSponsors: [], registryAddresses: [] },
    ...{ policies: [], changePolicies: [], limits: [], endUsers },
    ...(seen === undefined ? {} : { seen }),
    ...(mainnets === undefined || endUsers.networks !== 'All' ? {} : { mainnets }),
  };
  return charterInForce(own, digest);
}
