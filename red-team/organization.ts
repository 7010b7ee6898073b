import { adopt, charterSeries } from '../bench/bench-charters';
import { codecOf } from '../chains/codecs';
import type { NetworkName } from '../domain/networks';
import { newId } from '../platform/ids';
import { type Charter, type CharterWallet, charterDigest } from '../signer/charters/charter';
import type { CreatedKey, SignerClient } from '../signer/protocol';
import { openOfflineStore } from './offline-store';
import { createPeople, HELD_TAG, LISTED_TAG, PACED_TAG, removalBy } from './people';
import { openRestrictions } from './restricting';
import { SEEN } from './seen';

export const EVM = 'EthereumSepolia';
export const EVM_CHAIN_ID = 11_155_111;
export const COINS = 'BitcoinSignet';
export const SOLANA = 'SolanaDevnet';
/** The only recipient that the policy for the wallet `listed` permits. */
export const LISTED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
/** A wallet with limits may send this much in a day, fees included. */
export const LIMIT_UNITS = 10n ** 24n;

const FORMS = {
  [EVM]: { scheme: 'ECDSA', curve: 'secp256k1' },
  [COINS]: { scheme: 'ECDSA', curve: 'secp256k1' },
  [SOLANA]: { scheme: 'EdDSA', curve: 'ed25519' },
} as const;
type Network = keyof typeof FORMS;

/** Each wallet with its network and tags. The key of the wallet `frozen` is frozen. */
const WALLETS = {
  free: [EVM],
  held: [EVM, HELD_TAG],
  limited: [EVM],
  listed: [EVM, LISTED_TAG],
  paced: [EVM, PACED_TAG],
  frozen: [EVM],
  sponsor: [EVM],
  coins: [COINS],
  heldCoins: [COINS, HELD_TAG],
  sender: [SOLANA],
  heldSender: [SOLANA, HELD_TAG],
  payer: [SOLANA],
  twinCoins: [COINS],
  twinSender: [SOLANA],
  personal: [EVM],
  personalSender: [SOLANA],
} as const satisfies Readonly<Record<string, readonly [Network, string?]>>;
export type WalletName = keyof typeof WALLETS;
/** An end user holds the keys of these wallets. */
const PERSONAL = ['personal', 'personalSender'] as const satisfies readonly WalletName[];
export type PersonalName = (typeof PERSONAL)[number];
export const isPersonal = (name: WalletName): name is PersonalName => (PERSONAL as readonly WalletName[]).includes(name);
const ANCHOR_EVERY_MS = 5_000;
export const WALLET_NAMES = Object.keys(WALLETS) as WalletName[];
export type Wallet = { readonly name: WalletName; readonly key: CreatedKey; readonly row: CharterWallet };

async function createWallet(client: SignerClient, orgId: string, name: WalletName): Promise<Wallet> {
  const [network, ...tags] = WALLETS[name];
  const key = await client.createKey({ orgId, keyId: newId('key'), ...FORMS[network] });
  const address = codecOf(network).addressOf(key.publicKeyHex);
  return { name, key, row: { id: newId('wallet'), keyId: key.sealed.keyId, network, address, tags } };
}

/** The request for the wallet makes the end user the holder of the wallet's key. */
async function createPersonal(client: SignerClient, { orgId, people, name }: Personal): Promise<Wallet> {
  const [network] = WALLETS[name];
  const { zoe, former, spare } = people;
  const credentials = [zoe, former, spare].map(({ credential: { operations: _operations, ...own } }) => own);
  const evidence = [people.asked(zoe, '/wallets', { network })];
  const holder = { userId: zoe.userId, credentials, evidence };
  const key = await client.createKey({ orgId, keyId: newId('key'), ...FORMS[network], holder });
  const { keyId } = key.sealed;
  const row = { id: newId('wallet'), keyId, network, address: codecOf(network).addressOf(key.publicKeyHex), tags: [] };
  const amendment = { kind: 'createWallet', walletId: row.id, keyId } as const;
  await client.amendCharter({ orgId, amendmentId: row.id, amendment, evidence });
  return { name, key, row };
}
/** The end user removes one of the three credentials that can sign for the keys. */
async function removeFormer(client: SignerClient, { orgId, people }: Pick<Personal, 'orgId' | 'people'>): Promise<void> {
  const evidence = [removalBy(people, people.zoe, people.former)];
  await client.amendCharter({ orgId, amendmentId: newId('amendment'), amendment: { kind: 'deactivateCredential' }, evidence });
}
type Personal = { readonly orgId: string; readonly people: ReturnType<typeof createPeople>; readonly name: PersonalName };

type Place = {
  readonly client: SignerClient;
  readonly stateDir: string;
  readonly operatorKey: Parameters<typeof charterSeries>[0];
  /** This is false only in the test in which the attacker succeeds because there is no charter. */
  readonly isChartered: boolean;
};

/** Renews the signer's anchor regularly, as the worker does. The returned function returns the newest anchor. */
async function keepAnchor(client: SignerClient): Promise<() => string> {
  let { anchor } = await client.anchor();
  const renew = async () => {
    try {
      ({ anchor } = await client.anchor());
    } catch {
      // The run is over, or the signer is restarting: the last anchor stays valid for some minutes.
    }
  };
  setInterval(() => void renew(), ANCHOR_EVERY_MS).unref();
  return () => anchor;
}

/** An organisation with a charter and one frozen wallet. */
export async function openOrganization({ client, stateDir, operatorKey, isChartered }: Place) {
  const orgId = newId('organization');
  const people = createPeople(orgId, await keepAnchor(client));
  const wallets = {} as Record<WalletName, Wallet>;
  for (const name of WALLET_NAMES) if (!isChartered || !isPersonal(name)) wallets[name] = await createWallet(client, orgId, name);
  const second = (wallet: Wallet, network: NetworkName): CharterWallet => ({
    ...{ ...wallet.row, id: newId('wallet'), network, address: codecOf(network).addressOf(wallet.key.publicKeyHex) },
  });
  const sponsors = { evm: newId('feeSponsor'), solana: newId('feeSponsor') };
  const others = [
    second(wallets.free, 'PolygonAmoy'),
    second(wallets.free, 'Ethereum'),
    second(wallets.twinCoins, 'Bitcoin'),
    second(wallets.twinSender, 'Solana'),
  ];
  const content: Omit<Charter, 'signerId' | 'sequence' | 'previous' | 'dateIssued'> = {
    v: 1,
    organizationId: orgId,
    members: people.members,
    wallets: [...Object.values(wallets).map(({ row }) => row), ...others],
    feeSponsors: [
      { id: sponsors.evm, walletId: wallets.sponsor.row.id },
      { id: sponsors.solana, walletId: wallets.payer.row.id },
    ],
    registryAddresses: [],
    policies: people.policies(LISTED),
    changePolicies: [],
    seen: SEEN,
    endUsers: { networks: 'Test' },
    limits: [{ walletId: wallets.limited.row.id, asset: 'native', hours: 24, unitsMax: LIMIT_UNITS.toString() }],
  };
  const { signerId } = await client.health();
  const series = charterSeries(operatorKey, signerId, content);
  const former = series();
  const charter = series();
  if (isChartered) for (const one of [former, charter]) await adopt(stateDir, one);
  if (isChartered) {
    for (const name of PERSONAL) wallets[name] = await createPersonal(client, { orgId, people, name });
    await removeFormer(client, { orgId, people });
  }
  const elsewhere = charterSeries(operatorKey, newId('signer'), content)();
  // This key does not belong to any wallet of the charter.
  const outsider = await client.createKey({ orgId, keyId: newId('key'), ...FORMS[EVM] });
  const target = { kind: 'Key' as const, keyId: wallets.frozen.row.keyId };
  const freezeId = newId('freeze');
  await client.setFreeze({ orgId, freezeId, evidence: [], target, ...moment() });
  const storeId = await openOfflineStore({ orgId, signerId, stateDir, operatorKey });
  const place = { client, stateDir, orgId, signerId, people, former: charterDigest(former.charter) };
  const restrictions = isChartered ? await openRestrictions(place) : undefined;
  return {
    orgId,
    people,
    wallets,
    others,
    sponsors,
    content,
    signerId,
    storeId,
    former,
    charter,
    elsewhere,
    outsider,
    freezeId,
    restrictions,
  };
}
export type Organization = Awaited<ReturnType<typeof openOrganization>>;

const VALID_MS = 60_000;
/** The time of an order, and the time until which the signer may carry it out. */
export const moment = () => ({
  issuedAt: new Date().toISOString(),
  notAfter: new Date(Date.now() + VALID_MS).toISOString(),
});
