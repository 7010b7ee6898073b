import { z } from 'zod';
import { until } from '../../drill/faults/polling';
import type { OpenedService } from './open-service';
import type { Person } from './person';

const NETWORK = 'EthereumSepolia';
const HUNDRED_ETHER = 10n ** 20n;
/** The only recipient that the policy for the wallet `listed` permits. */
export const LISTED_RECIPIENT = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
/** The amount that the limited wallet may send in a day, fees included. */
export const LIMIT_OF_DAY = 10n ** 17n;
/** The number of payments of the paced wallet that may be signed in a day. */
export const PAYMENTS_OF_DAY = 3;
const WALLET_USES = ['free', 'freeToo', 'held', 'heldToo', 'listed', 'limited', 'paced', 'frozen', 'spare'] as const;
export type WalletUse = (typeof WALLET_USES)[number];
export type CompanyWallet = {
  readonly id: string;
  /** The address in lower case. */
  readonly address: string;
  /** The address with its checksum, as in the charter. */
  readonly written: string;
  readonly keyId: string;
};

const Wallet = z
  .object({ id: z.string(), address: z.string(), signingKey: z.object({ id: z.string() }) })
  .transform(({ id, address, signingKey }): CompanyWallet => {
    return { id, address: address.toLowerCase(), written: address, keyId: signingKey.id };
  });
const Identified = z.object({ id: z.string() });
const Authority = z.object({ charter: z.looseObject({}).nullable() });

async function must<S extends z.ZodType>(by: Person, path: string, body: object, answer: S): Promise<z.output<S>> {
  const reply = await by.change('POST', path, body);
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return answer.parse(reply.body);
}

const policy = (activityKind: string, rule: object, action: object, filters?: object) => ({
  ...{ name: `${activityKind} ${JSON.stringify(filters ?? 'all')}`.slice(0, 60), activityKind, rule, action },
  ...(filters === undefined ? {} : { filters }),
});

/** An organisation under a charter, with people who check the content before they sign. */
export async function foundCompany(service: OpenedService) {
  const { orgId, people, usernames } = await service.foundPeople();
  const { ada, ben, cyd, dan } = people;
  const wallets = {} as Record<WalletUse, CompanyWallet>;
  for (const use of WALLET_USES) {
    wallets[use] = await must(ada, '/wallets', { network: NETWORK }, Wallet);
    await service.rig.rpc('anvil_setBalance', [wallets[use].address, `0x${HUNDRED_ETHER.toString(16)}`]);
  }
  const of = (...uses: readonly WalletUse[]) => ({ walletId: { in: uses.map((use) => wallets[use].id) } });
  const approvers = { userId: { in: [ben, cyd, dan].map(({ userId }) => userId) } };
  const asking = { kind: 'RequestApproval', approvalGroups: [{ name: 'Officers', quorum: 2, approvers }] };
  const whitelist = { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [LISTED_RECIPIENT] } };
  const pace = { kind: 'TransactionCountVelocity', configuration: { limit: PAYMENTS_OF_DAY, timeframe: 1_440 } };
  const always = { kind: 'AlwaysTrigger' };
  const policies: string[] = [];
  for (const body of [
    policy('Wallets:Sign', always, asking, of('held', 'heldToo')),
    policy('Wallets:Sign', whitelist, { kind: 'Block' }, of('listed')),
    policy('Wallets:Sign', pace, { kind: 'Block' }, of('paced')),
    // This policy comes last, because every later change of policies waits for two officers.
    policy('Policies:Modify', always, asking),
  ])
    policies.push((await must(ada, '/v2/policies', body, Identified)).id);
  const target = { kind: 'Wallet', id: wallets.frozen.id };
  const { id: freezeId } = await must(ada, '/freezes', { target, reason: 'It looks wrong' }, Identified);
  const limit = { walletId: wallets.limited.id, asset: 'native', hours: 24, unitsMax: LIMIT_OF_DAY.toString() };
  await service.charter(orgId, [limit]);
  await until('the service knows the charter', async () => {
    const { body } = await ada.get('/organizations/authority');
    return Authority.safeParse(body).data?.charter ?? undefined;
  });
  return { orgId, people, usernames, wallets, policies, freezeId };
}
export type Company = Awaited<ReturnType<typeof foundCompany>>;
