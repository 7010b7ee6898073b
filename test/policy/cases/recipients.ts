import type { Rule } from '../../../domain/policies';
import type { RuleCase } from './case';

const ONE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TWO = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const BASE58 = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const BECH32 = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const XRP = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh';
const SOLANA = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA';
/** As long as an EVM address with its prefix, but not hexadecimal. */
const LOOKALIKE = '0xZZZZ000000000000000000000000000000000000';

const whitelist = (addresses: readonly string[], registryAddressIds?: readonly string[]): Rule => ({
  kind: 'TransactionRecipientWhitelist',
  configuration: { addresses, ...(registryAddressIds ? { registryAddressIds } : {}) },
});

type Row = readonly [title: string, addresses: readonly string[], recipients: readonly string[], triggers: boolean];
const LISTED: readonly Row[] = [
  ['an empty list', [], [ONE], true],
  ['the recipient as it is listed', [ONE], [ONE], false],
  ['a different recipient', [TWO], [ONE], true],
  ['the recipient as one of several', [TWO, ONE], [ONE], false],
  ['a list in small letters', [ONE.toLowerCase()], [ONE], false],
  ['a list in capital letters', [`0x${ONE.slice(2).toUpperCase()}`], [ONE], false],
  ['a list with a capital X', [`0X${ONE.slice(2)}`], [ONE], false],
  ['a recipient in small letters', [ONE], [ONE.toLowerCase()], false],
  ['a list without the prefix', [ONE.slice(2)], [ONE], true],
  ['a listed address with one digit more', [`${ONE}0`], [ONE], true],
  ['a listed address with one digit less', [ONE.slice(0, -1)], [ONE], true],
  ['a listed address with a changed last digit', [ONE.replace(/d$/, 'e')], [ONE], true],
  ['a listed address followed by a space', [`${ONE} `], [ONE], true],
  ['two recipients, both listed', [ONE, TWO], [TWO, ONE], false],
  ['two recipients, the first unlisted', [ONE], [TWO, ONE], true],
  ['two recipients, the second unlisted', [ONE], [ONE, TWO], true],
  ['the same recipient twice', [ONE], [ONE, ONE], false],
  ['no known recipient and an empty list', [], [], true],
  ['no known recipient and a list with addresses', [ONE, TWO], [], true],
  ['an address listed twice', [ONE, ONE], [ONE], false],
  ...[BASE58, BECH32, XRP, SOLANA, LOOKALIKE].flatMap((address): Row[] => [
    [`${address} as it is listed`, [ONE, address], [address], false],
    [`${address} in small letters in the list`, [address.toLowerCase()], [address], address !== address.toLowerCase()],
    [`${address} in capital letters in the list`, [address.toUpperCase()], [address], true],
    [`${address} among other formats`, [ONE, TWO], [address], true],
  ]),
];

type Registered = readonly [
  title: string,
  addresses: readonly string[],
  ids: readonly string[],
  registry: Readonly<Record<string, string>> | undefined,
  recipients: readonly string[],
  triggers: boolean,
];
const REGISTERED: readonly Registered[] = [
  ['an entry with this address', [], ['adr-1'], { 'adr-1': ONE }, [ONE], false],
  ['an entry in small letters', [], ['adr-1'], { 'adr-1': ONE.toLowerCase() }, [ONE], false],
  ['an entry with a different address', [], ['adr-1'], { 'adr-1': TWO }, [ONE], true],
  ['an entry that no longer has an address', [], ['adr-1'], {}, [ONE], true],
  ['unknown entries', [], ['adr-1'], undefined, [ONE], true],
  ['an entry that the policy does not list', [], ['adr-1'], { 'adr-2': ONE }, [ONE], true],
  ['the second of two entries', [], ['adr-1', 'adr-2'], { 'adr-1': TWO, 'adr-2': ONE }, [ONE], false],
  ['an address together with an entry', [ONE], ['adr-1'], { 'adr-1': TWO }, [ONE], false],
  ['two recipients, one by address and one by entry', [ONE], ['adr-1'], { 'adr-1': TWO }, [ONE, TWO], false],
  ['two recipients, one of them unlisted', [BECH32], ['adr-1'], { 'adr-1': TWO }, [ONE, TWO], true],
  ['no known recipient', [ONE], ['adr-1'], { 'adr-1': TWO }, [], true],
  ['an entry for a Solana address, in small letters', [], ['adr-1'], { 'adr-1': SOLANA.toLowerCase() }, [SOLANA], true],
];

export const RECIPIENT_CASES: readonly RuleCase[] = [
  ...LISTED.map(([title, addresses, recipients, triggers]) => ({
    title: `a whitelist: ${title}`,
    rule: whitelist(addresses),
    facts: { recipients },
    triggers,
  })),
  ...REGISTERED.map(([title, addresses, ids, registryAddresses, recipients, triggers]) => ({
    title: `a whitelist with the registry: ${title}`,
    rule: whitelist(addresses, ids),
    facts: { recipients, ...(registryAddresses ? { registryAddresses } : {}) },
    triggers,
  })),
];
