import { serializeTransaction } from 'viem';
import { evmCodecOf, evmPayloads } from '../../../../chains/codecs';
import { decoderOf } from '../../../../chains/decoders';
import { CHARTER_OPERATION_IDS, type CharterOperation } from '../../../../domain/charters';
import type { NetworkName } from '../../../../domain/networks';
import { VERIFIER_ORIGIN } from '../../../../platform/seen-assertions';
import type { Charter } from '../../../../signer/charters/charter';
import type { SigningPayload } from '../../../../signer/judging/signing-payload';
import { createPortableSigning } from '../../../../signer/keys/sealed-signing';
import type { SignTransferOrder } from '../../../../signer/protocol';
import { psbtFor } from '../../../chains/utxo/psbts';
import { actionOf, type Chartered, HELD_WALLET_ID, openChartered, type Person, WALLET_ID } from '../../charters/chartered';
import { FEES, keyOrder, ORG, payloadOrderFor, refusedAs, TO } from '../../fixtures';
import { amendmentBy } from '../amendments/amending';

/** Portable arithmetic that reports itself as native, because only the reported name matters here. */
const asNative: typeof createPortableSigning = (kek) => ({ ...createPortableSigning(kek), arithmetic: 'native' });

let office: Chartered;
beforeEach(async () => {
  office = await openChartered(asNative);
});
afterEach(() => office.close());

const inVerifier = (person: Person): Person => ({
  ...person,
  answer: (challenge) => person.answer(challenge, { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) }),
});
const everything = { operations: CHARTER_OPERATION_IDS, origins: [] };
/** The charter with its wallets on Ethereum. */
const charterFor = (changes: Partial<Charter>): Charter => ({
  ...office.charter,
  wallets: office.charter.wallets.map((wallet) => ({ ...wallet, network: 'Ethereum' })),
  seen: everything,
  ...changes,
});
const named = () => charterFor({ mainnets: ['Ethereum'] });

/** The order of the fixture, on Ethereum. */
const onEthereum = (order: SignTransferOrder): SignTransferOrder => {
  const { intent, nonce } = order;
  const transfer = {
    ...intent,
    network: 'Ethereum',
    amountUnits: BigInt(intent.amountUnits),
    asset: { kind: 'Native' },
  } as const;
  const { bytesHex } = evmCodecOf('Ethereum').build(transfer, nonce, FEES);
  return { ...order, network: 'Ethereum', chainId: 1, bytesHex };
};

test('the signer signs for a mainnet that the charter lists, with seen votes', async () => {
  await office.adopt(named());
  const { signer, people, transfer, approved } = office;
  const [ada, ben, cyd] = [people.ada, people.ben, people.cyd].map(inVerifier) as [Person, Person, Person];
  await expect(signer.signTransfer(onEthereum(transfer(ada)))).resolves.toBeDefined();
  const held = onEthereum(transfer(ada, { walletId: HELD_WALLET_ID }));
  await expect(signer.signTransfer(held)).rejects.toEqual(refusedAs('ApprovalMissing'));
  const withBlind = approved(held, [cyd, people.ben]);
  // A passkey vote from a page that the charter does not list is blind, whatever the page writes.
  const withPasskey = approved(held, [cyd, ben]);
  const withVotes = ({ approval, votes }: typeof withBlind) => ({
    ...held,
    evidence: [...(held.evidence ?? []), approval, ...votes],
  });
  await expect(signer.signTransfer(withVotes(withBlind))).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(signer.signTransfer(withVotes(withPasskey))).rejects.toEqual(refusedAs('VotesMissing'));
  const withProgram = approved(held, [cyd, people.bot]);
  await expect(signer.signTransfer(withVotes(withProgram))).resolves.toBeDefined();
  await expect(signer.signTransfer(onEthereum(transfer(people.ada)))).rejects.toEqual(refusedAs('NotSeen'));
});

test.each<[string, () => Promise<unknown>]>([
  ['without a charter', async () => undefined],
  ['under a charter that does not list a mainnet', () => office.adopt(charterFor({}))],
  ['under a charter that lists only another mainnet', () => office.adopt(charterFor({ mainnets: ['Base'] }))],
])('a mainnet is refused %s', async (_title, adopt) => {
  await adopt();
  const order = onEthereum(office.transfer(inVerifier(office.people.ada)));
  await expect(office.signer.signTransfer(order)).rejects.toEqual(refusedAs('MainnetNotAllowed'));
});

test('portable arithmetic does not sign for a mainnet, whatever the charter allows', async () => {
  await office.close();
  office = await openChartered();
  await office.adopt(named());
  const order = onEthereum(office.transfer(inVerifier(office.people.ada)));
  await expect(office.signer.signTransfer(order)).rejects.toEqual(refusedAs('MainnetNotAllowed'));
});

const base = { chainId: 1, to: TO, value: 1n, ...FEES, nonce: 3 } as const;
const NOTE = { types: { Note: [{ name: 'text', type: 'string' }] }, domain: { chainId: 1 }, message: { text: 'x' } };
const PAYLOADS: readonly [string, SigningPayload, object][] = [
  [
    'a transaction',
    { kind: 'EvmTransaction', bytesHex: serializeTransaction({ type: 'eip1559', ...base }) },
    { kind: 'Transaction', transaction: serializeTransaction({ type: 'eip1559', ...base }) },
  ],
  [
    'typed data',
    {
      kind: 'Eip712',
      typedData: evmPayloads.completeTypedData(NOTE, 'body'),
    },
    { kind: 'Eip712', ...NOTE },
  ],
  [
    'an authorization',
    { kind: 'Eip7702', chainId: 1, address: TO, nonce: 3 },
    { kind: 'Eip7702', chainId: 1, address: TO, nonce: 3 },
  ],
];
test.each(PAYLOADS)('%s of a mainnet is signed only if the charter lists the mainnet', async (_title, payload, body) => {
  const { signer, people, keys } = office;
  const order = (by: Person) => ({
    ...payloadOrderFor(keys.free, `sig-${_title}`, payload),
    evidence: [actionOf('Initiator', by, { path: `/wallets/${WALLET_ID}/signatures`, body: JSON.stringify(body) })],
  });
  await expect(signer.signPayload(order(people.ada))).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  const { digest } = await office.adopt(charterFor({}));
  await expect(signer.signPayload(order(inVerifier(people.ada)))).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  await signer.charters.adopt(office.signedBy({ ...named(), sequence: 2, previous: digest }));
  await expect(signer.signPayload(order(inVerifier(people.ada)))).resolves.toBeDefined();
});

test('a member can add a wallet only on a mainnet that the charter lists', async () => {
  await office.adopt(named());
  const { signer, people } = office;
  await signer.createKey(keyOrder('key-new'));
  const amendment = { kind: 'createWallet', walletId: 'wa-00000-00000-0000000000000009', keyId: 'key-new' } as const;
  const creation = (network: string) => amendmentBy({ by: inVerifier(people.ada), amendment, body: { network } });
  await expect(signer.amendCharter(creation('Base'))).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  await expect(signer.amendCharter(creation('Ethereum'))).resolves.toMatchObject({ sequence: 2 });
});

const RESTRICTIONS: readonly CharterOperation[] = [
  'deactivateUser',
  'archiveUser',
  'deactivateServiceAccount',
  'archiveServiceAccount',
];
test.each(CHARTER_OPERATION_IDS)(
  'a charter with a mainnet must demand that people see every operation except removals: %s',
  async (operation) => {
    const operations = CHARTER_OPERATION_IDS.filter((one) => one !== operation);
    const adopted = office.adopt(charterFor({ mainnets: ['Ethereum'], seen: { operations, origins: [] } }));
    if (RESTRICTIONS.includes(operation)) await expect(adopted).resolves.toBeDefined();
    else await expect(adopted).rejects.toEqual(refusedAs('CharterMalformed'));
  },
);

test('a charter whose only members are service accounts need not demand seen operations', async () => {
  const { members } = office.charter;
  const programs = members.filter(({ isServiceAccount }) => isServiceAccount);
  const { seen: _none, ...rest } = charterFor({ mainnets: ['Ethereum'], members: programs });
  await expect(office.adopt(rest)).resolves.toBeDefined();
});

test.each([[[]], [['Nowhere']], [['EthereumSepolia']], [['Hedera']], [['Ethereum', 'Ethereum']]])(
  'a charter with the mainnets %j is refused',
  async (mainnets) => {
    await expect(office.adopt(charterFor({ mainnets }))).rejects.toEqual(refusedAs('CharterMalformed'));
  },
);

const HELD_BY_TWO: readonly [NetworkName, NetworkName][] = [
  ['BitcoinSignet', 'Bitcoin'],
  ['LitecoinTestnet', 'Bitcoin'],
  ['Litecoin', 'Bitcoin'],
  ['Bitcoin', 'Litecoin'],
  ['DogecoinTestnet', 'Dogecoin'],
  ['Bitcoin', 'Dogecoin'],
  ['BitcoinCashTestnet', 'BitcoinCash'],
];
test.each(HELD_BY_TWO)('a PSBT for %s is not signed by the key of a wallet on %s', async (name, mainnet) => {
  const { signer, people, keys } = office;
  const { publicKeyHex } = keys.free;
  const addressOn = (network: NetworkName) => decoderOf(network).addressOf(publicKeyHex);
  const [free] = office.charter.wallets;
  if (!free) throw new Error('the charter has a wallet');
  const here = { ...free, network: name, address: addressOn(name) };
  // The mainnet wallet has the same key under a different id.
  const there = { ...free, id: HELD_WALLET_ID, keyId: 'key-alias', network: mainnet, address: addressOn(mainnet) };
  const both = charterFor({ mainnets: ['Bitcoin', 'BitcoinCash', 'Dogecoin', 'Litecoin'], wallets: [here, there] });
  const psbt = psbtFor(name, publicKeyHex);
  const order = {
    ...payloadOrderFor(keys.free, 'sig-1', { kind: 'Psbt', bytesHex: psbt, network: name }),
    evidence: [
      actionOf('Initiator', inVerifier(people.ada), {
        path: `/wallets/${WALLET_ID}/signatures`,
        body: JSON.stringify({ kind: 'Psbt', psbt }),
      }),
    ],
  };
  const { digest } = await office.adopt(both);
  await expect(signer.signPayload(order)).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  const ofAnother = { ...there, address: decoderOf(mainnet).addressOf(keys.held.publicKeyHex) };
  await signer.charters.adopt(office.signedBy({ ...both, wallets: [here, ofAnother], sequence: 2, previous: digest }));
  await expect(signer.signPayload(order)).resolves.toBeDefined();
});

test('a Schnorr key signs for a test network if the only mainnet of the charter has no Schnorr keys', async () => {
  const { signer, people } = office;
  const key = await signer.createKey({ orgId: ORG, keyId: 'key-schnorr', scheme: 'Schnorr', curve: 'secp256k1' });
  const [free] = office.charter.wallets;
  if (!free) throw new Error('the charter has a wallet');
  const { publicKeyHex } = key;
  const address = decoderOf('BitcoinSignet').addressOf(publicKeyHex);
  const wallet = { ...free, keyId: 'key-schnorr', network: 'BitcoinSignet', address };
  await office.adopt(charterFor({ mainnets: ['Dogecoin'], wallets: [wallet] }));
  const psbt = psbtFor('BitcoinSignet', publicKeyHex);
  const said = { path: `/wallets/${WALLET_ID}/signatures`, body: JSON.stringify({ kind: 'Psbt', psbt }) };
  const payload = { kind: 'Psbt', bytesHex: psbt, network: 'BitcoinSignet' } as const;
  const evidence = [actionOf('Initiator', inVerifier(people.ada), said)];
  await expect(signer.signPayload({ ...payloadOrderFor(key, 'sig-1', payload), evidence })).resolves.toBeDefined();
});
