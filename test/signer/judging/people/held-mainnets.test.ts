import { evmCodecOf } from '../../../../chains/codecs';
import { CHARTER_OPERATION_IDS, HOLDER_OPERATIONS } from '../../../../domain/charters';
import { VERIFIER_ORIGIN } from '../../../../platform/seen-assertions';
import { type Charter, readCharter } from '../../../../signer/charters/charter';
import { createPortableSigning } from '../../../../signer/keys/sealed-signing';
import type { CreatedKey } from '../../../../signer/protocol';
import { actionOf, openChartered, type Person } from '../../charters/chartered';
import { HELD_KEY_ID, type Holding, openHolding, walletAsked, ZOE_WALLET_ID } from '../../charters/holding';
import { FEES, refusedAs } from '../../fixtures';

/** Portable arithmetic that reports itself as native, because only the reported name matters here. */
const asNative: typeof createPortableSigning = (kek) => ({ ...createPortableSigning(kek), arithmetic: 'native' });
const seen = { operations: CHARTER_OPERATION_IDS, origins: [] };
const inVerifier = (person: Person): Person => ({
  ...person,
  answer: (challenge) => person.answer(challenge, { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) }),
});

let office: Holding;
const opened = async (changes: Partial<Charter>) => {
  office = await openHolding(asNative, { seen, mainnets: ['Ethereum'], ...changes });
  return office;
};
afterEach(() => office?.close());

const onEthereum = (order: ReturnType<Holding['pay']>) => {
  const { intent, nonce } = order;
  const asset = { kind: 'Native' } as const;
  const transfer = { ...intent, network: 'Ethereum', amountUnits: BigInt(intent.amountUnits), asset } as const;
  return { ...order, network: 'Ethereum', chainId: 1, bytesHex: evmCodecOf('Ethereum').build(transfer, nonce, FEES).bytesHex };
};
/** The wallet is on Ethereum. */
const walletOf = (by: Person): Promise<CreatedKey> => office.wallet(by, ZOE_WALLET_ID, HELD_KEY_ID, { network: 'Ethereum' });

test('a holder can sign for a mainnet that the charter lists and opens to end users, if the holder sees the request', async () => {
  const { signer, endUsers, pay } = await opened({ endUsers: { networks: 'All' } });
  const zoe = inVerifier(endUsers.zoe);
  const key = await walletOf(zoe);
  await expect(signer.signTransfer(onEthereum(pay(endUsers.zoe, key)))).rejects.toEqual(refusedAs('NotSeen'));
  await expect(signer.signTransfer(onEthereum(pay(zoe, key)))).resolves.toBeDefined();
});

test('an end user who does not see the request gets no wallet on a mainnet', async () => {
  const { endUsers } = await opened({ endUsers: { networks: 'All' } });
  await expect(walletOf(endUsers.zoe)).rejects.toEqual(refusedAs('NotSeen'));
});

test('under a charter that serves end users only on test networks, no held key signs for a mainnet', async () => {
  const { endUsers, signer, wallet, pay, follow } = await opened({ endUsers: { networks: 'All' } });
  const zoe = inVerifier(endUsers.zoe);
  const key = await walletOf(zoe);
  await follow({ seen, mainnets: ['Ethereum'], endUsers: { networks: 'Test' } });
  await expect(signer.signTransfer(onEthereum(pay(zoe, key)))).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  const other = wallet(zoe, 'wa-00000-other-0000000000000000', 'key-other', { network: 'Ethereum' });
  await expect(other).rejects.toEqual(refusedAs('MainnetNotAllowed'));
});

test('end users cannot get wallets on a mainnet outside the charter', async () => {
  const { endUsers, wallet } = await opened({ endUsers: { networks: 'All' } });
  const zoe = inVerifier(endUsers.zoe);
  const other = wallet(zoe, ZOE_WALLET_ID, HELD_KEY_ID, { network: 'Base' });
  await expect(other).rejects.toEqual(refusedAs('MainnetNotAllowed'));
});

test('a request for a test network is rejected for a mainnet, even if the key has a wallet on the mainnet', async () => {
  const { endUsers, signer, wallet, pay, walletOrder } = await opened({ endUsers: { networks: 'All' } });
  const zoe = inVerifier(endUsers.zoe);
  const key = await wallet(zoe);
  const main = 'wa-00000-0main-0000000000000000';
  const asked = walletAsked(zoe, { network: 'Ethereum', signingKey: { id: HELD_KEY_ID } });
  await signer.amendCharter(walletOrder(main, HELD_KEY_ID, [asked]));
  await expect(signer.signTransfer(onEthereum(pay(zoe, key)))).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(signer.signTransfer(onEthereum(pay(zoe, key, main)))).resolves.toBeDefined();
});

test('a registration cannot create a wallet on a mainnet, because no signature covers the network', async () => {
  const { signer, endUsers, people, keyAsked, walletOrder } = await opened({ endUsers: { networks: 'All' } });
  const body = JSON.stringify({ email: 'zoe@example.com', kind: 'EndUser' });
  const action = actionOf('Initiator', people.bot, { path: '/auth/registration/delegated', body });
  await signer.createKey(keyAsked(endUsers.zoe, [action]));
  const { amendment, ...order } = walletOrder(ZOE_WALLET_ID, HELD_KEY_ID, [action]);
  const offered = (network: string) => signer.amendCharter({ ...order, amendment: { ...amendment, network } });
  await expect(offered('Ethereum')).rejects.toEqual(refusedAs('MainnetNotAllowed'));
  await expect(offered('EthereumSepolia')).resolves.toBeDefined();
});

test('a charter opens its mainnets to end users only if they must see all that they sign', async () => {
  const { charter, close } = await openChartered();
  const members = charter.members.map((member) => ({ ...member, credentials: [] }));
  const textWith = (operations: readonly string[], networks: string) =>
    JSON.stringify({ ...charter, members, mainnets: ['Ethereum'], seen: { operations, origins: [] }, endUsers: { networks } });
  expect(readCharter(textWith(HOLDER_OPERATIONS, 'All'))).toBeDefined();
  for (const left of HOLDER_OPERATIONS) {
    const others = HOLDER_OPERATIONS.filter((one) => one !== left);
    expect(readCharter(textWith(others, 'All'))).toBeUndefined();
    expect(readCharter(textWith(others, 'Test'))).toBeDefined();
  }
  expect(readCharter(textWith(HOLDER_OPERATIONS, 'Mainnets'))).toBeUndefined();
  await close();
});
