import { CreateKeyBody } from '../../../api/keys/schemas';
import { CreateWalletBody } from '../../../api/wallets/wallets/schemas';
import { actionOf, type Person } from '../charters/chartered';
import { type Holding, openHolding } from '../charters/holding';

let office: Holding;
beforeAll(async () => {
  office = await openHolding();
});
afterAll(() => office.close());

type Member = readonly [name: string, value: unknown];
/** Every body that can be made from some of these members. */
const subsets = (members: readonly Member[]): object[] =>
  members.reduce<object[]>((bodies, [name, value]) => bodies.flatMap((body) => [body, { ...body, [name]: value }]), [{}]);

const FORM = { scheme: 'ECDSA', curve: 'secp256k1' } as const;
/** The members of a request for a key that belongs to the end user from the start. */
const COMMON: readonly Member[] = [
  ['name', 'Mine'],
  ['delayDelegation', false],
  ['groupSize', 3],
  ['groupThreshold', null],
];
const WALLETS = subsets([
  ...COMMON,
  ['externalId', 'x-1'],
  ['tags', ['a', 'a']],
  ['metadata', { team: 'treasury' }],
  ['signingKey', { ...FORM, storeId: 'ks-1' }],
]).map((body) => ({ network: 'EthereumSepolia', ...body }));
const KEYS = subsets([...COMMON, ['masterKey', true], ['storeId', 'ks-1']]).map((body) => ({ ...FORM, ...body }));

let count = 0;
const isAccepted = async (by: Person, path: string, body: object): Promise<boolean> => {
  const { signer, endUsers, keyAsked, walletOrder } = office;
  count += 1;
  const action = actionOf('Initiator', by, { path, body: JSON.stringify(body) });
  const keyId = `key-${count}`;
  await signer.createKey(keyAsked(endUsers.zoe, [action], keyId));
  if (path === '/wallets') await signer.amendCharter(walletOrder(`wa-${count}`, keyId, [action]));
  return true;
};

test.each([
  ['/wallets', CreateWalletBody, WALLETS],
  ['/keys', CreateKeyBody, KEYS],
] as const)(
  'the signer accepts each body of POST %s that the API accepts for a key of an end user',
  async (path, schema, bodies) => {
    const { endUsers, people } = office;
    for (const body of bodies) {
      expect(schema.safeParse(body)).toMatchObject({ success: true });
      expect(await isAccepted(endUsers.zoe, path, body)).toBe(true);
      expect(await isAccepted(people.bot, path, { ...body, delegateTo: endUsers.zoe.userId })).toBe(true);
    }
  },
);

test('the signer reads each member of these bodies', () => {
  const [wallet, key] = [CreateWalletBody.shape, CreateKeyBody.shape].map((shape) => Object.keys(shape).sort());
  const namedIn = (bodies: readonly object[], ...more: string[]) =>
    [...new Set([...bodies.flatMap((body) => Object.keys(body)), ...more])].sort();
  expect(wallet).toEqual(namedIn(WALLETS, 'delegateTo'));
  // A derived key has the holder of its master key, and does not need a separate request.
  expect(key).toEqual(namedIn(KEYS, 'delegateTo', 'deriveFrom'));
});
