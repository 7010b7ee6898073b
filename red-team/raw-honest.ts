import { newId } from '../platform/ids';
import { coinsEffect, evmEffect, solanaEffect } from './effects';
import { addressWord, type Build, contentFor, hexOf, type Made, type Making, signatureOf, TOKEN, wordOf } from './making';
import { type Content, coinsOrder, evmCodec, type Order, orderOf, solanaOrder } from './orders';
import { COINS, EVM, SOLANA, type WalletName } from './organization';
import { rawCoinsOrder, rawEnvelope, rawEvmOrder, rawSolanaOrder } from './raw-orders';

const APPROVE = {
  ...{ type: 'function', name: 'approve', stateMutability: 'nonpayable' },
  inputs: [
    { name: 'spender', type: 'address' },
    { name: 'units', type: 'uint256' },
  ],
  outputs: [{ name: '', type: 'bool' }],
} as const;

/** A transaction that a person wrote, requested with the operation `broadcastTransaction`. */
function broadcast(making: Making, name: WalletName, build: Build, ask: (content: Content, order: Order) => object): Made {
  const { wallets, people } = making.organization;
  const wallet = wallets[name];
  const content = contentFor(wallet, making);
  const order = build(wallet, newId('transaction'), content);
  const evidence = [people.asked(people.ada, `/wallets/${wallet.row.id}/transactions`, ask(content, order))];
  const { from, to, amountUnits } = content;
  const { network } = wallet.row;
  const effects = { [COINS]: coinsEffect(from, to, amountUnits), [SOLANA]: solanaEffect(from, to, amountUnits) };
  const effect = network === COINS || network === SOLANA ? effects[network] : evmEffect(from, to, amountUnits, '0x');
  return { wallet, content, build, order: { ...order, evidence }, effect };
}

const rawPayment = (making: Making, name: WalletName): Made =>
  broadcast(making, name, rawEvmOrder, ({ to, amountUnits }) => ({ kind: 'Evm', to, value: amountUnits.toString() }));

/** A call that permits another account to spend a token. */
function functionCall(making: Making): Made {
  const { amountUnits: units } = contentFor(making.organization.wallets.free, making);
  const spender = evmCodec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
  const data = `0x095ea7b3${addressWord(spender)}${wordOf(units)}`;
  const build: Build = (wallet, requestId, content) =>
    rawEvmOrder(wallet, requestId, { ...content, to: TOKEN, amountUnits: 0n }, data);
  const body = { kind: 'FunctionCall', call: { contract: TOKEN, abi: APPROVE, calldata: { spender, units: units.toString() } } };
  const made = broadcast(making, 'free', build, () => body);
  return { ...made, effect: evmEffect(made.wallet.row.address, TOKEN, 0n, data) };
}

function approvedRawPayment(making: Making): Made {
  const { people } = making.organization;
  const made = rawPayment(making, 'held');
  const { order, content } = made;
  if (!content) return made;
  const approval = people.approvalOf(order.requestId ?? '', rawEnvelope(order, content));
  const votes = [people.ben, people.cyd].map((one) => people.voteOf(one, approval));
  return { ...made, order: { ...order, evidence: [...(order.evidence ?? []), approval, ...votes] } };
}

/** The transfer of an NFT. The token's contract calls the recipient, whose code may then act. */
function collectible(making: Making): Made {
  const { wallets, people } = making.organization;
  const wallet = wallets.free;
  const tokenId = String(making.number);
  const asset = { kind: 'Erc721', contract: TOKEN, tokenId } as const;
  const content = contentFor(wallet, making, { asset, amountUnits: 1n });
  const { from, to } = content;
  const order = orderOf(wallet, newId('transfer'), content);
  const evidence = [people.asked(people.ada, `/wallets/${wallet.row.id}/transfers`, { to, ...asset })];
  const words = [from, to].map(addressWord).join('');
  const effect = evmEffect(from, TOKEN, 0n, `0x42842e0e${words}${wordOf(BigInt(tokenId))}`);
  return { wallet, content, build: orderOf, order: { ...order, evidence }, effect };
}

const personalMessage = (making: Making): Made => {
  const message = `message to all ${making.number}`;
  const payload = { kind: 'Eip191', messageHex: hexOf(message) };
  return signatureOf(making, 'free', { payload, body: { kind: 'Eip191', message } });
};

/** A proof that the key controls an address (BIP-322). */
const proof = (making: Making): Made => {
  const message = hexOf(`proof ${making.number}`);
  const asked = { kind: 'Bip322', network: COINS, format: 'Simple' };
  return signatureOf(making, 'coins', { payload: { ...asked, messageHex: message }, body: { ...asked, message } });
};

const authorization = (making: Making): Made => {
  const asked = {
    kind: 'Eip7702',
    chainId: 11_155_111,
    address: TOKEN,
    nonce: contentFor(making.organization.wallets.free, making).claim,
  };
  return signatureOf(making, 'free', { payload: asked, body: asked });
};

function signedCoins(making: Making): Made {
  const { coins } = making.organization.wallets;
  const content = contentFor(coins, making);
  const { bytesHex } = coinsOrder(coins, 'unused', content);
  const payload = { kind: 'Psbt', network: COINS, bytesHex };
  const made = signatureOf(making, 'coins', { payload, body: { kind: 'Psbt', network: COINS, psbt: bytesHex } });
  return { ...made, effect: coinsEffect(content.from, content.to, content.amountUnits) };
}

function signedSolanaMessage(making: Making): Made {
  const { sender } = making.organization.wallets;
  const content = contentFor(sender, making);
  const { bytesHex } = solanaOrder(sender, 'unused', content);
  const payload = { kind: 'SolanaTransaction', network: SOLANA, bytesHex };
  const body = { kind: 'Transaction', network: SOLANA, transaction: bytesHex };
  const made = signatureOf(making, 'sender', { payload, body });
  return { ...made, effect: solanaEffect(content.from, content.to, content.amountUnits) };
}

const sepoliaTyped = (making: Making): Made => {
  const fields = [{ name: 'units', type: 'uint256' }];
  const described = {
    types: { Mail: fields },
    domain: { name: 'Mail', chainId: 11_155_111, verifyingContract: TOKEN },
    message: { units: String(making.number) },
  };
  const domainType = [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const types = { EIP712Domain: domainType, ...described.types };
  const typedData = JSON.stringify({ ...described, types, primaryType: 'Mail' });
  const body = { kind: 'Eip712', network: EVM, ...described };
  return signatureOf(making, 'free', { payload: { kind: 'Eip712', typedData }, body });
};

/** Transactions that people wrote themselves, and signatures over other kinds of content. */
export const RAW_MAKERS = {
  'raw payment': (making: Making) => rawPayment(making, 'free'),
  'raw payment to a listed recipient': (making: Making) => rawPayment(making, 'listed'),
  'approved raw payment': approvedRawPayment,
  'function call': functionCall,
  collectible,
  'raw payment of coins': (making: Making) =>
    broadcast(making, 'coins', rawCoinsOrder, (_content, { bytesHex }) => ({ kind: 'Psbt', psbt: bytesHex })),
  'raw Solana payment': (making: Making) =>
    broadcast(making, 'sender', rawSolanaOrder, (_content, { bytesHex }) => ({ kind: 'Transaction', transaction: bytesHex })),
  'personal message': personalMessage,
  'typed data of a network': sepoliaTyped,
  proof,
  authorization,
  'signed coins': signedCoins,
  'signed Solana message': signedSolanaMessage,
} as const;
