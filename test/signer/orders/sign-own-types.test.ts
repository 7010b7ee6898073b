import { concatHex, fromRlp, keccak256, toRlp } from 'viem/utils';
import type { SigningPayload } from '../../../signer/judging/signing-payload';
import type { CreatedKey, SignTransferOrder } from '../../../signer/protocol';
import vectors from '../../chains/evm/vectors.json';
import { codec, NOW_MS, ORG, openOperations, payloadOrderFor, refusedAs, temporaryFolder } from '../fixtures';

type Hex = `0x${string}`;

const { celo, tempoLane } = vectors.ownTypes;
const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let key: CreatedKey;
let count = 0;
beforeAll(async () => {
  operations = await openOperations(folder.path, () => NOW_MS);
  key = await operations.createKey({ orgId: ORG, keyId: 'key-own', scheme: 'ECDSA', curve: 'secp256k1' });
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

function sign(payload: SigningPayload) {
  count += 1;
  return operations.signPayload(payloadOrderFor(key, `sig-${count}`, payload));
}
const transaction = (bytesHex: string): SigningPayload => ({ kind: 'EvmTransaction', bytesHex });

test('the additional types of Celo and Tempo are signed, and each nonce of a lane (a nonce key of Tempo) only once', async () => {
  for (const { unsigned } of [celo, tempoLane])
    expect((await sign(transaction(unsigned))).digestHex).toBe(keccak256(unsigned as Hex));
  const changed = (from: string, to: string) => {
    const bytesHex = tempoLane.unsigned.replace(from, to);
    expect(bytesHex).not.toBe(tempoLane.unsigned);
    return sign(transaction(bytesHex));
  };
  await expect(changed('05c00309', '06c00309')).rejects.toThrow(refusedAs('NonceSignedAlready'));
  await expect(changed('05c00309', '06c00409')).resolves.toBeDefined();
});

test('a transfer is signed only if the order has the same lane as its bytes', async () => {
  const { sealed, dek } = key;
  const asset = { kind: 'Erc20', contract: '0x20C0000000000000000000000000000000000000' } as const;
  const order = (requestId: string, nonceKey?: string): SignTransferOrder => ({
    ...{ requestId, orgId: sealed.orgId, keyId: sealed.keyId, network: 'TempoModerato', chainId: 42_431, nonce: 9, sealed, dek },
    ...(nonceKey === undefined ? {} : { nonceKey }),
    intent: {
      from: codec.addressOf(key.publicKeyHex),
      to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      amountUnits: '5',
      asset,
    },
    feeCeilingUnits: (10n ** 18n).toString(),
    bytesHex: tempoLane.unsigned,
    issuedAt: new Date(NOW_MS).toISOString(),
    notAfter: new Date(NOW_MS + 60_000).toISOString(),
  });
  for (const nonceKey of [undefined, '4'])
    await expect(operations.signTransfer(order('xfr-1', nonceKey))).rejects.toThrow(refusedAs('NonceMismatch'));
  await expect(operations.signTransfer(order('xfr-2', '3'))).resolves.toMatchObject({
    digestHex: keccak256(tempoLane.unsigned as Hex),
  });
});

/** The same transaction with a nonce key of all ones (TIP-1009). */
function expiring(bytesHex: string): Hex {
  const members = fromRlp(`0x${bytesHex.slice(4)}`, 'hex') as Hex[];
  return concatHex(['0x76', toRlp(members.map((one, index): Hex => (index === 6 ? `0x${'ff'.repeat(32)}` : one)))]);
}

/** The same transaction on the mainnet, with the fee in a currency of the mainnet. */
const onCelo = (bytesHex: string): string =>
  bytesHex
    .replace('82aef3', '82a4ec')
    .replace('874069fa1eb16d44d622f2e0ca25eea172369bc1', '765de816845861e75a25fca122bb6898b8b1282a');

test.each<[string, string, SigningPayload]>([
  ['a fee in a currency that is not listed', 'BytesNotUnderstood', transaction(celo.unsigned.replace('874069fa', '874069fb'))],
  ['a lane that does not count nonces', 'BytesNotUnderstood', transaction(expiring(tempoLane.unsigned))],
  ['a transaction on a mainnet', 'MainnetNotAllowed', transaction(onCelo(celo.unsigned))],
  ['a transaction of Celo that is labelled a message', 'MessageIsTransaction', { kind: 'Message', messageHex: celo.raw }],
  [
    'a transaction of Tempo that is labelled a message',
    'MessageIsTransaction',
    { kind: 'Message', messageHex: tempoLane.unsigned },
  ],
])('%s: %s, and nothing is logged', async (_what, reason, payload) => {
  const lines = operations.log.size;
  await expect(sign(payload)).rejects.toThrow(refusedAs(reason));
  expect(operations.log.size).toBe(lines);
});
