import type { Signatory } from '../../bench/signatory';
import { newId } from '../../platform/ids';
import { isPersonal, WALLET_NAMES, type WalletName } from '../organization';
import { removalBy } from '../people';
import type { Attack, Attempt, Scene } from './attack';
import { wished } from './forbidden';

const PERSONAL = WALLET_NAMES.filter(isPersonal);
const OF_OTHERS = WALLET_NAMES.filter((name) => !isPersonal(name));

const others = ({ organization: { people }, random }: Scene): Signatory =>
  random.oneOf([people.ada, people.ben, people.cyd, people.bot, people.eve, people.dan, people.stranger]);

/** The stranger with the end user's id, and in half of the cases also with the id of the end user's credential. */
function planted({ organization: { people }, random }: Scene): Signatory {
  const { zoe, stranger } = people;
  const credential = random.share() < 0.5 ? stranger.credential : { ...stranger.credential, id: zoe.credential.id };
  return { ...stranger, userId: zoe.userId, credential };
}

const orderOf = (scene: Scene, name: WalletName, by: Signatory, more: object = {}): Attempt => ({
  order: { ...wished(scene, name, { by }).order, ...more },
});

/** A new key with a holder, under the id of a key that the end user or the organisation already has. */
function claimedKey(scene: Scene, by: Signatory): Attempt {
  const { organization, random } = scene;
  const { orgId, people, wallets } = organization;
  const { key } = wallets[random.oneOf(WALLET_NAMES)];
  const { keyId, scheme, curve } = key.sealed;
  const { operations: _operations, ...credential } = by.credential;
  const evidence = [people.asked(by, '/keys', { scheme, curve })];
  const holder = { userId: by.userId, credentials: [credential], evidence };
  return { order: { op: 'createKey', orgId, keyId, scheme, curve, holder } };
}

/** A wallet for the end user's key, on another network or under the id of another wallet. */
function claimedWallet(scene: Scene, by: Signatory): Attempt {
  const { organization, random } = scene;
  const { orgId, people, wallets } = organization;
  const { keyId } = wallets[random.oneOf(PERSONAL)].row;
  const network = random.oneOf(['BaseSepolia', 'EthereumSepolia', 'Ethereum', 'SolanaDevnet', 'Solana']);
  const named = random.oneOf([{ id: keyId }, { scheme: 'ECDSA' }, { deriveFrom: { keyId } }, {}]);
  const owner = random.oneOf([{ delegateTo: people.zoe.userId }, {}]);
  const evidence = [people.asked(by, '/wallets', { network, signingKey: named, ...owner })];
  const walletId = random.oneOf([newId('wallet'), wallets[random.oneOf(WALLET_NAMES)].row.id]);
  const amendment = { kind: 'createWallet', walletId, keyId, ...(random.share() < 0.3 ? { network } : {}) };
  return { order: { op: 'amendCharter', orgId, amendmentId: newId('amendment'), amendment, evidence } };
}

/**
 * A removal of the end user's valid credential, signed in the name of the end user by the stranger or with a removed credential.
 */
function claimedRemoval(scene: Scene): Attempt {
  const { orgId, people } = scene.organization;
  const evidence = [removalBy(people, scene.random.oneOf([people.former, planted(scene)]), people.zoe)];
  const amendment = { kind: 'deactivateCredential' };
  return { order: { op: 'amendCharter', orgId, amendmentId: newId('amendment'), amendment, evidence } };
}

export const HOLDER_ATTACKS: readonly Attack[] = [
  {
    kind: 'the key of an end user, asked for with a removed credential',
    weight: 3,
    make: (scene) => orderOf(scene, scene.random.oneOf(PERSONAL), scene.organization.people.former),
  },
  {
    kind: 'a wallet of the key of an end user, asked for with a removed credential',
    weight: 1,
    make: (scene) => claimedWallet(scene, scene.organization.people.former),
  },
  { kind: 'the removal of the credential of an end user, asked for by others', weight: 2, make: claimedRemoval },
  {
    kind: 'the key of an end user, asked for by others',
    weight: 3,
    make: (scene) => orderOf(scene, scene.random.oneOf(PERSONAL), others(scene)),
  },
  {
    kind: 'the key of an end user, asked for with a planted credential',
    weight: 3,
    make: (scene) => orderOf(scene, scene.random.oneOf(PERSONAL), planted(scene)),
  },
  {
    kind: 'a key of the organisation, asked for by an end user',
    weight: 2,
    make: (scene) => orderOf(scene, scene.random.oneOf(OF_OTHERS), scene.organization.people.zoe),
  },
  {
    kind: 'the key of an end user under the id of another key',
    weight: 2,
    make(scene) {
      const { wallets } = scene.organization;
      const { sealed } = wallets[scene.random.oneOf(PERSONAL)].key;
      const { keyId } = wallets[scene.random.oneOf(OF_OTHERS)].row;
      return orderOf(scene, scene.random.oneOf(PERSONAL), others(scene), { keyId, sealed: { ...sealed, keyId } });
    },
  },
  { kind: 'a known key with a planted holder', weight: 2, make: (scene) => claimedKey(scene, planted(scene)) },
  { kind: 'a known key with another holder', weight: 2, make: (scene) => claimedKey(scene, others(scene)) },
  {
    kind: 'a wallet of the key of an end user, asked for by others',
    weight: 3,
    make: (scene) => claimedWallet(scene, others(scene)),
  },
  {
    kind: 'a wallet of the key of an end user with a planted credential',
    weight: 2,
    make: (scene) => claimedWallet(scene, planted(scene)),
  },
];
